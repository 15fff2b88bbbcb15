"""What is claimed of A and B with a margin, and its p-value from the test of one dataset.

==============  ==============================  =================================================
claim           null hypothesis                 in words
==============  ==============================  =================================================
``better``      A - B <= 0                      A is better
``better_by``   A - B <= m                      A is better by more than the margin
``not_worse``   A - B <= -m                     A is not worse by more than the margin
``equivalent``  A - B <= -m or A - B >= m       they differ by less than the margin: both
                                                one-sided tests reject (Schuirmann 1987, Journal
                                                of Pharmacokinetics and Biopharmaceutics 15,
                                                657-680), and p is the larger of their p-values
==============  ==============================  =================================================

A margin m is above 0, in the unit of the score.
"""

from replicability import checks
from replicability.stats import paired

CLAIMS = ("better", "better_by", "not_worse", "equivalent")
"""What can be claimed."""

NEEDS_SCORES = (
    "a p-value for “better” cannot be converted into a p-value for a margin; provide item scores "
    "instead of p-values, or leave out the margin and the claim."
)
"""Error for a margin requested on p-values."""

_OPPOSITE = {"greater": "less", "less": "greater"}


def hypotheses(claim, margin=0.0):
    """Return the one-sided tests of a claim, as the tests of one dataset take them.

    `claim`: one of `CLAIMS`. `margin`: above 0, unless the claim is "better", which has none.

    Returns tuple of (str, float). Alternative and signed margin of each; the claim is shown where
    all reject.

    Raises `InputError`: as `check`.

    Examples
    --------
    >>> hypotheses("equivalent", 0.01)
    (('greater', -0.01), ('less', 0.01))
    """
    margin = check(claim, margin)
    return {
        "better": (("greater", 0.0),),
        "better_by": (("greater", margin),),
        "not_worse": (("greater", -margin),),
        "equivalent": (("greater", -margin), ("less", margin)),
    }[claim]


def turned(tests):
    """Return the one-sided tests of the same claim with A and B in each other's place."""
    return tuple((_OPPOSITE[alternative], -margin) for alternative, margin in tests)


def check(claim, margin):
    """Return a margin that goes with a claim, as a float.

    Parameters
    ----------
    claim : str
        One of `CLAIMS`.
    margin : float
        0 or None for the claim "better".

    Returns
    -------
    float
        The margin.

    Raises
    ------
    InputError
        If there is no such claim, or the margin is missing, superfluous or not above 0.
    """
    checks.choice("claim", claim, CLAIMS)
    named = checks.named("margin")
    if claim == "better":
        if margin:
            raise checks.InputError(
                f"{named} is {margin!r}, but the claim 'better' takes no margin; leave the margin "
                f"out, or set {checks.named('claim')} to {', '.join(CLAIMS[1:-1])} or "
                f"{CLAIMS[-1]}."
            )
        return 0.0
    if margin is None:
        raise checks.InputError(
            f"The claim {claim!r} needs a margin; set {named} in the unit of the score."
        )
    if isinstance(margin, str):
        raise checks.InputError(f"margin is the string {margin!r}; pass a number.")
    value = checks.finite("margin", margin)
    if value <= 0:
        raise checks.InputError(
            f"margin is {margin!r}, but must be above 0 for every claim; for 'not_worse' by more "
            "than 0.01, write 0.01. To claim only 'better', leave the margin out."
        )
    return value


def carries(test):
    """Check that a test carries a margin.

    `test`: a key of `paired.TESTS`.

    Raises `InputError`: if it does not; the message says why, and which does.
    """
    entry = paired.lookup(test)
    if not entry.margin:
        raise checks.InputError(
            f"The test {test!r} does not support a margin: {entry.margin_note}."
        )


def run(test, a, b, tests, **options):
    """Run the one-sided tests of a claim on one dataset.

    `test`: a key of `paired.TESTS`. `a`, `b` (array_like): scores of the systems, as the test takes
    them. `tests` (sequence of (str, float)): as `hypotheses` or `turned` returns them. `**options`:
    other options of the test.

    Returns paired.Result. Of the test with the largest p-value, which is that of the claim.

    Raises `InputError`: as the test, or if it carries no margin.

    Examples
    --------
    >>> a, b = [3, 5, 4, 6, 7], [3, 5, 5, 6, 7]
    >>> run("sign_flip", a, b, hypotheses("not_worse", 1)).pvalue
    0.0625
    """
    found = []
    for alternative, margin in tests:
        if margin:
            carries(test)
        given = options | ({"margin": margin} if margin else {})
        found.append(paired.run(test, a, b, **given, alternative=alternative))
    return max(found, key=lambda result: result.pvalue)
