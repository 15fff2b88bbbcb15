"""The command `tests`."""

from replicability.cli.layout import filled


def list_tests(options):
    """List the tests and when to use each.

    `options`: arguments of the command `tests`.

    Returns dict. ``tests``: for each its name and what its entry says, and ``scores``, the kinds
    for which it is the default.
    """
    from replicability.core import recommendation
    from replicability.stats import paired

    kinds = {name: [] for name in paired.TESTS}
    for kind in recommendation.SCORE_KINDS:
        kinds[recommendation.recommend(kind).test].append(kind)
    return {
        "tests": [
            {"test": name, "title": test.title, "scores": kinds[name], "use": test.use}
            | _entry(test)
            for name, test in sorted(paired.TESTS.items(), key=lambda item: not kinds[item[0]])
        ]
    }


def _entry(test):
    """Return what the entry of a test says of its use."""
    return {
        "takes": test.takes,
        "metrics": test.metrics,
        "pvalue": test.pvalue,
        "assumes": test.valid_under,
        "margin": test.margin or None,
        "margin_note": test.margin_note,
        "options": list(test.options),
    }


def show_tests(answer):
    """Write the answer of `tests` as text.

    `answer`: the answer.

    Returns str. A paragraph for each test.
    """
    from replicability.stats.paired import MARGINS

    paragraphs = {True: [], False: []}
    for about in answer["tests"]:
        kinds = " and ".join(about["scores"])
        kinds = f" ({kinds}{' scores' * (kinds != 'ratings')})" * bool(kinds)
        use = about["use"]
        use = use if use.startswith("instead") else f"if {use}"
        carried = MARGINS[about["margin"] or ""]
        text = (
            f"{about['test']}{kinds}: use it {use}. It assumes that {about['assumes']}. "
            f"{carried} {about['margin_note']}."
        )
        paragraphs[bool(about["scores"])].append(filled(text, "  "))
    return "\n".join(
        [
            "Default tests for each kind of scores:",
            *paragraphs[True],
            "",
            "Other tests, which you choose by name:",
            *paragraphs[False],
        ]
    )
