"""The command `tests`."""

from replicability.cli.answers import _fill

OTHERWISE = {
    "sign_flip": "instead of paired_bootstrap where instances are few: it is valid for any number "
    "of them if the outputs are exchangeable under the null hypothesis",
    "sign_test": "instead of wilcoxon where it only counts which system is better on an instance, "
    "not by how much",
    "paired_t": "instead of wilcoxon where differences are close to normal",
    "williams": "instead of steiger where items are few: it refers to Student's t",
    "meng": "instead of steiger, with which it agrees where items are many",
    "rating_bootstrap": "instead of steiger where ratings are far from normal",
}
"""Test that the paper does not choose -> when to use it."""


def list_tests(options):
    """List the tests and when to use each.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `tests`.

    Returns
    -------
    dict
        ``tests``: for each its name, ``title``, ``use`` and, if the paper chooses it, ``scores``,
        ``section`` and ``assumes``.
    """
    from replicability.compare import recommendation
    from replicability.compare.findings import TEST_TITLES

    chosen = {}
    for kind in recommendation.SCORE_KINDS:
        advice = recommendation.recommend(kind)
        chosen[advice.test] = {
            "scores": kind,
            "use": advice.why,
            "section": advice.section,
            "assumes": advice.assumes,
        }
    others = {name: {"scores": None, "use": when} for name, when in OTHERWISE.items()}
    return {
        "tests": [
            {"test": name, "title": TEST_TITLES[name], **about}
            for name, about in (chosen | others).items()
        ]
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
    paragraphs = {True: [], False: []}
    for about in answer["tests"]:
        text = f"{about['test']}: "
        if about["scores"]:
            text += (
                f"for {about['scores']} scores; {about['use']} ({about['section']}). It assumes "
                f"that {about['assumes']}."
            )
        else:
            text += f"{about['use']}."
        paragraphs[about["scores"] is not None].append(_fill(text, "  "))
    return "\n".join(
        ["The paper chooses by the scores:", *paragraphs[True], "", "Others:", *paragraphs[False]]
    )
