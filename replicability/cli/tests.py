"""The command `tests`."""

from replicability.cli.layout import filled


def list_tests(options):
    """List the tests and when to use each.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `tests`.

    Returns
    -------
    dict
        ``tests``: for each its name and what its entry says, ``scores``, the kind that the paper
        chooses it for, or None, and then its ``section``.
    """
    from replicability.compare import recommendation
    from replicability.stats import paired

    chosen = {}
    for kind in recommendation.SCORE_KINDS:
        advice = recommendation.recommend(kind)
        chosen[advice.test] = {
            "scores": kind,
            "use": advice.why,
            "section": advice.section,
        }
    others = {
        name: {"scores": None, "use": test.use}
        for name, test in paired.TESTS.items()
        if name not in chosen
    }
    return {
        "tests": [
            {"test": name, "title": paired.TESTS[name].title, **about, **_entry(paired.TESTS[name])}
            for name, about in (chosen | others).items()
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

    Parameters
    ----------
    answer : dict
        The answer.

    Returns
    -------
    str
        A paragraph for each test.
    """
    from replicability.stats.paired import MARGINS

    paragraphs = {True: [], False: []}
    for about in answer["tests"]:
        text = f"{about['test']}: "
        if about["scores"]:
            text += (
                f"for {about['scores']} scores; {about['use']} ({about['section']}). It assumes "
                f"that {about['assumes']}."
            )
        else:
            text += f"{about['use']}. It assumes that {about['assumes']}."
        carried = MARGINS[about["margin"] or ""]
        text += f" {carried} {about['margin_note']}."
        paragraphs[about["scores"] is not None].append(filled(text, "  "))
    return "\n".join(
        ["The paper chooses by the scores:", *paragraphs[True], "", "Others:", *paragraphs[False]]
    )
