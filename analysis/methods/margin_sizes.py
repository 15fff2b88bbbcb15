r"""Does a test with a margin keep its level on the boundary, and what power has it inside?

====================  ==============================================  ======
model                 scores                                          margin
====================  ==============================================  ======
`answers`             right or wrong; the systems differ on a fifth   .1
`words`               words right of the words of each sentence       .03
`entities`            correct, guessed and gold entities, for F1      .03
`numbers`             normal differences with variance 1              .25
`similarities`        normal ratings, for Spearman's correlation      .1
====================  ==============================================  ======

`MODELS` maps each name to its `Model`, of which the difference of the metric, A minus B, is set to
any number. `table` draws datasets where a claim is just not true (its size) and where it is true
(its power), and counts how often the test of the claim rejects.

==============  =======================  =======================
claim           difference for its size  difference for its power
==============  =======================  =======================
``not_worse``   minus the margin         0
``better_by``   the margin               twice the margin
``equivalent``  the margin               0
==============  =======================  =======================
"""

import zlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
from scipy import special

from analysis.methods import type1_error
from analysis.methods.type1_error import Scores, verdict
from replicability import checks
from replicability.stats import margins, paired


def answers(n, n_repetitions, gain, rng):
    """Draw right and wrong answers; only A is right with probability (.2 + gain)/2.

    `n`: number of items. `n_repetitions`: number of datasets. `gain`: expected difference of
    the metric, A minus B. `rng`: source of random numbers.

    Returns type1_error.Scores. 0 or 1, shape (n_repetitions, n).
    """
    u = rng.random((n_repetitions, n))
    only_a, either = u < (0.2 + gain) / 2, u < 0.2
    both = u < 0.9
    a = only_a | (~either & both)
    b = (either & ~only_a) | (~either & both)
    return Scores(a.astype(float), b.astype(float))


def words(n, n_repetitions, gain, rng):
    """Draw words right and words of sentences that differ in length and difficulty.

    Returns type1_error.Scores. Shape (n_repetitions, n, 2). A word is right with a probability
    whose mean is .9 for the better system and .9 less the gain for the other.
    """
    size = 1 + rng.poisson(9, (n_repetitions, n))
    easiness = rng.beta(18, 2, (n_repetitions, n))
    rates = (easiness, easiness * (0.9 - abs(gain)) / 0.9)[:: 1 if gain >= 0 else -1]
    return Scores(*(np.stack([rng.binomial(size, p), size], -1).astype(float) for p in rates))


def entities(n, n_repetitions, gain, rng):
    """Draw correct, guessed and gold entities of sentences, for a difference of F1.

    Returns type1_error.Scores. Shape (n_repetitions, n, 3). A sentence has 1 + Poisson(4) gold
    entities and Poisson(.5) guesses that are wrong; F1 of all sentences is .84 for B.
    """
    gold = 1 + rng.poisson(4, (n_repetitions, n))
    sides = []
    for f1 in (8 / 9.5 + gain, 8 / 9.5):
        correct = rng.binomial(gold, f1 * 5.5 / (5 * (2 - f1)))
        guessed = correct + rng.poisson(0.5, gold.shape)
        sides.append(np.stack([correct, guessed, gold], -1).astype(float))
    return Scores(*sides)


def numbers(n, n_repetitions, gain, rng):
    """Draw normal scores whose differences have variance 1.

    Returns type1_error.Scores. Shape (n_repetitions, n).
    """
    a, b, shared = rng.standard_normal((3, n_repetitions, n))
    return Scores((a + shared) / np.sqrt(2) + gain, (b + shared) / np.sqrt(2))


def similarities(n, n_repetitions, gain, rng):
    """Draw normal ratings; B correlates with gold by .6, Spearman's correlation of A differs.

    Returns type1_error.Scores. Shape (n_repetitions, n), with gold ratings.
    """
    common, *own = rng.standard_normal((4, n_repetitions, n))
    spearman = 6 / np.pi * np.arcsin(0.3) + gain
    pearson = 2 * np.sin(np.pi * spearman / 6)
    loadings = np.sqrt(0.8) ** np.array([1, -1, -1]) * (1, pearson, 0.6)
    sides = [w * common + np.sqrt(1 - w * w) * e for w, e in zip(loadings, own, strict=True)]
    gold, a, b = sides
    return Scores(a, b, gold)


@dataclass(frozen=True)
class Model:
    """Scores with a known difference, and the margin that they are tested with.

    Attributes
    ----------
    draw : callable
        ``(n, n_repetitions, gain, rng) -> type1_error.Scores``.
    margin : float
        The margin, above 0.
    """

    draw: Callable
    margin: float


MODELS = {
    "answers": Model(answers, 0.1),
    "words": Model(words, 0.03),
    "entities": Model(entities, 0.03),
    "numbers": Model(numbers, 0.25),
    "similarities": Model(similarities, 0.1),
}
"""Name -> model."""

_GAINS = {"not_worse": (-1, 0), "better_by": (1, 2), "equivalent": (1, 0)}
"""Claim -> differences, in margins, for its size and for its power."""


@dataclass(frozen=True)
class Case(type1_error.Case):
    """A test of a claim on a model of `MODELS`, with a name for readers.

    Attributes
    ----------
    title, test, model, options
        As of `type1_error.Case`.
    claim : str
        A claim with a margin, of `margins.CLAIMS`.
    """

    claim: str = "not_worse"

    def __post_init__(self):
        checks.choice("model", self.model, MODELS)
        checks.choice("claim", self.claim, _GAINS)
        margins.carries(self.test)


def every(claim, n_resamples=199):
    """List every test that carries a margin, on the models that it can be run on.

    `claim`: a claim with a margin. `n_resamples`: resamples of the tests that draw.

    Returns list of Case. At least one for each test of `paired.TESTS` with a margin. Of `numbers`
    the resampling tests of sums are left out: shifted by the margin, they are as without one.
    """
    draws, f1 = {"n_resamples": n_resamples}, {"metric": "f1", "n_resamples": n_resamples}
    models = {"answers": draws, "words": draws, "entities": f1}
    sums = {
        "sign-flip": "sign_flip",
        "bootstrap": "paired_bootstrap",
        "mean difference": "mean_difference",
    }
    listed = [
        ("Tango", "tango", "answers", {}),
        ("exact unconditional", "exact_unconditional", "answers", {}),
        *(
            (title, test, model, options)
            for model, options in models.items()
            for title, test in sums.items()
        ),
        ("paired t", "paired_t", "answers", {}),
        ("paired t", "paired_t", "numbers", {}),
        ("Wilcoxon", "wilcoxon", "numbers", {}),
        ("mean difference", "mean_difference", "numbers", draws),
        ("rating bootstrap", "rating_bootstrap", "similarities", draws),
        ("jackknife", "correlation_jackknife", "similarities", {}),
    ]
    return [Case(*case, claim) for case in listed]


def table(cases, sample_sizes, n_repetitions, seed, alpha=0.05):
    """Tabulate size and power by test and sample size.

    `cases` (sequence of Case): at least one. `sample_sizes` (sequence of int): numbers of items.
    `n_repetitions`: number of datasets of each. `seed`: entropy of a `numpy.random.SeedSequence`;
    every model, claim, n and difference has a child of its own, so that tests see the same datasets
    and nothing else has a part in the result. `alpha`: nominal level, in (0, 1).

    Returns DataFrame. One row per case and sample size: ``title``, ``test``, ``model``, ``claim``,
    ``margin``, ``n``, ``n_repetitions``, ``alpha``, ``size`` and ``power`` with their standard
    errors in columns that end in ``_error``, and the ``verdict`` on the size.

    Raises `InputError`: if there is no case or sample size, or a number, level or option is not
    valid.

    Examples
    --------
    >>> found = table([Case("Tango", "tango", "answers")], [50], 1000, 2017)
    >>> found[["size", "power", "verdict"]].values.tolist()
    [[0.044, 0.437, 'nominal']]
    """
    level = checks.alpha(alpha)
    checks.at_least("n_repetitions", n_repetitions)
    rows = []
    for case, n in type1_error.crossed(cases, sample_sizes):
        row = {name: getattr(case, name) for name in ("title", "test", "model", "claim")}
        row |= {"margin": MODELS[case.model].margin, "n": n, "n_repetitions": n_repetitions}
        row["alpha"] = level
        for name, gain in zip(("size", "power"), _GAINS[case.claim], strict=True):
            rate = float((_pvalues(case, n, n_repetitions, seed, gain) <= level).mean())
            row |= {name: rate, f"{name}_error": np.sqrt(rate * (1 - rate) / n_repetitions)}
        rows.append(row | {"verdict": verdict(row["size"], level, n_repetitions)})
    return pd.DataFrame(rows)


def _pvalues(case, n, n_repetitions, seed, gain):
    """Return the p-values of a claim on datasets whose difference is so many margins.

    Where all differences are the same, the t-test refuses and nothing is claimed: a p-value of 1.
    """
    model = MODELS[case.model]
    key = (zlib.crc32(case.model.encode()), zlib.crc32(case.claim.encode()), n, gain + 1)
    drawn, resampled = np.random.SeedSequence(seed, spawn_key=key).spawn(2)
    scores = model.draw(n, n_repetitions, gain * model.margin, np.random.default_rng(drawn))
    tests = margins.hypotheses(case.claim, model.margin)
    if case.test == "tango" and not case.options:
        return _tango(scores, tests)

    def pvalue(a, b, **given):
        if case.test == "paired_t" and np.ptp(a - b) == 0:
            return 1
        return margins.run(case.test, a, b, tests, **given).pvalue

    return type1_error.one_by_one(pvalue, case.test, scores, resampled, case.options)


def _tango(scores, tests):
    """Return the p-values of Tango's test of all datasets at once."""
    wins, losses = ((x > y).sum(axis=1) for x, y in ((scores.a, scores.b), (scores.b, scores.a)))
    z = [
        (1 if alternative == "greater" else -1)
        * paired.tango_statistics(wins, losses, scores.a.shape[1], margin)
        for alternative, margin in tests
    ]
    return special.ndtr(-np.min(z, axis=0))
