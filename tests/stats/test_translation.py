"""Scores of translations against sacrebleu's, to the last digit, and resamples scored again."""

import numpy as np
import pytest
import sacrebleu
from sacrebleu.metrics import BLEU, CHRF, TER

from replicability.checks import InputError
from replicability.stats import metrics, paired
from replicability.stats.metrics import translation

WORDS = [
    "the",
    "cat",
    "(sat)",
    "on",
    "a",
    "mat,",
    "while",
    "3.5",
    "dogs'",
    "barked;",
    "Ærø",
    "zu",
    "Köln",
    "東京",
    "は",
    "?",
    "!",
    "-",
    "x",
]

SCORERS = {
    "bleu": BLEU,
    "chrf": CHRF,
    "chrf++": lambda: CHRF(word_order=2),
    "neg_ter": TER,
    "sentence_bleu": lambda: BLEU(effective_order=True),
    "sentence_chrf": CHRF,
    "sentence_chrf++": lambda: CHRF(word_order=2),
}
"""Name of a metric -> sacrebleu's."""


def texts(seed, n, references=1):
    """Return outputs and references; outputs share words with them, and may be empty."""
    rng = np.random.default_rng(seed)
    gold = [
        [" ".join(rng.choice(WORDS, rng.integers(1, 15))) for _ in range(n)]
        for _ in range(references)
    ]
    outputs = []
    for line in gold[0]:
        words = [rng.choice(WORDS) if rng.random() < 0.3 else word for word in line.split()]
        outputs.append(" ".join(words[: rng.integers(0, len(words) + 1)] if n > 2 else words))
    return outputs, gold


def score(metric, outputs, references):
    scorer = translation.scorer(metric)
    if metric in translation.CORPUS:
        sums = translation.segment_sums(scorer, outputs, references)
        return float(metrics.METRICS[metric](sums.sum(axis=0)))
    return float(np.mean(translation.sentence_scores(scorer, outputs, references)))


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("n", [1, 3, 60])
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++"])
def test_a_score_is_sacrebleus_to_the_last_digit(metric, seed, n, references):
    outputs, gold = texts(seed, n, references)
    assert score(metric, outputs, gold) == SCORERS[metric]().corpus_score(outputs, gold).score


@pytest.mark.parametrize("references", [1, 3])
@pytest.mark.parametrize("seed", range(6))
def test_ter_is_sacrebleus_with_the_opposite_sign(seed, references):
    outputs, gold = texts(seed, 20, references)
    expected = -TER().corpus_score(outputs, gold).score
    assert score("neg_ter", outputs, gold) == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("metric", translation.OF_SENTENCES)
@pytest.mark.parametrize("seed", range(3))
def test_scores_of_sentences_are_sacrebleus(metric, seed):
    outputs, gold = texts(seed, 20, 2)
    scores = translation.sentence_scores(translation.scorer(metric), outputs, gold)
    expected = [
        SCORERS[metric]().sentence_score(output, list(lines)).score
        for output, lines in zip(outputs, zip(*gold, strict=True), strict=True)
    ]
    np.testing.assert_array_equal(scores, expected)


@pytest.mark.parametrize("tokenize", ["13a", "intl", "zh", "char", "none"])
def test_a_tokenizer_is_sacrebleus(tokenize):
    outputs, gold = texts(1, 50)
    scorer = translation.scorer("bleu", tokenize)
    sums = translation.segment_sums(scorer, outputs, gold)
    expected = sacrebleu.corpus_bleu(outputs, gold, tokenize=tokenize, force=True).score
    assert float(metrics.bleu(sums.sum(axis=0))) == expected


@pytest.mark.parametrize("metric", SCORERS)
def test_the_signature_is_sacrebleus(metric):
    outputs, gold = texts(1, 3, 2)
    own, theirs = translation.scorer(metric), SCORERS[metric]()
    score = theirs.corpus_score(outputs, gold)
    translation.segment_sums(own, outputs, gold)
    said = translation.signature(own, metric)
    assert said.endswith(f"{score.name}|{theirs.get_signature()}")
    assert said.startswith({"n": "-TER", "s": "mean of sentences' "}.get(metric[0], score.name))


def test_chrf_of_totals():
    """All branches, and a batch at once: orders without n-grams, and nothing that matches."""
    rng = np.random.default_rng(0)
    totals = rng.integers(0, 6, (400, 8, 3)) * rng.integers(0, 2, (400, 8, 1))
    totals[:, :, 2] = np.minimum(totals[:, :, 2], totals[:, :, :2].min(axis=2))
    totals = totals.reshape(400, 24)
    expected = [CHRF(word_order=2)._compute_f_score(row) for row in totals.tolist()]
    np.testing.assert_array_equal(metrics.chrf_plus(totals), expected)
    expected = [CHRF()._compute_f_score(row) for row in totals[:, :18].tolist()]
    np.testing.assert_array_equal(metrics.chrf(totals[:, :18]), expected)
    assert (metrics.chrf(totals) == 0).any() and (metrics.chrf(totals) > 0).any()


@pytest.mark.parametrize("metric", ["chrf", "bleu", "chrf++"])
def test_sums_of_another_metric_are_refused(metric):
    with pytest.raises(InputError, match="be computed from sums of 3 columns"):
        paired.paired_bootstrap(np.ones((9, 3)), np.ones((9, 3)), metric=metric, n_resamples=9)


@pytest.mark.long
@pytest.mark.parametrize("metric", ["bleu", "chrf", "chrf++"])
def test_the_bootstrap_is_that_of_texts_scored_anew(metric):
    """Resample texts and let sacrebleu score each resample: the same law of the difference."""
    n, resamples = 40, 200
    a, gold = texts(3, n)
    b, _ = texts(4, n)
    b = [one if i % 3 else other for i, (one, other) in enumerate(zip(a, b, strict=True))]
    scorer = SCORERS[metric]()
    rng = np.random.default_rng(5)
    delta = scorer.corpus_score(a, gold).score - scorer.corpus_score(b, gold).score
    drawn = []
    for _ in range(resamples):
        rows = rng.integers(0, n, n)
        again = [[gold[0][i] for i in rows]]
        one, other = ([side[i] for i in rows] for side in (a, b))
        score_of = [scorer.corpus_score(side, again).score for side in (one, other)]
        drawn.append(score_of[0] - score_of[1])
    # the same resamples from sums: equal, not only alike
    rng = np.random.default_rng(5)
    own = translation.scorer(metric)
    sums = [translation.segment_sums(own, side, gold) for side in (a, b)]
    value = metrics.METRICS[metric]
    for expected in drawn:
        rows = rng.integers(0, n, n)
        assert value(sums[0][rows].sum(axis=0)) - value(sums[1][rows].sum(axis=0)) == expected
    # and the engine's own resamples, whose p-value is near in the middle of its law
    margin = 2 * delta - np.median(drawn)  # where half of the resamples exceed
    result = paired.paired_bootstrap(*sums, metric=metric, margin=margin, rng=1, n_resamples=9999)
    share = np.mean(np.array(drawn) >= 2 * delta - margin)
    assert result.effect == delta
    assert abs(result.pvalue - share) < 4 * np.sqrt(0.25 / resamples)
    assert 0.4 < share < 0.6


@pytest.mark.parametrize("metric", ["bleu", "chrf", "neg_ter"])
def test_neither_the_order_of_segments_nor_that_of_systems_matters(metric):
    n = 30
    (a, gold), (b, _) = texts(6, n), texts(7, n)
    own = translation.scorer(metric)
    one, other = (translation.segment_sums(own, side, gold) for side in (a, b))
    order = np.random.default_rng(0).permutation(n)
    given = {"metric": metric, "rng": 2, "n_resamples": 999}
    for test in (paired.sign_flip, paired.paired_bootstrap):
        first = test(one, other, **given)
        assert test(one[order], other[order], **given).pvalue == first.pvalue
        assert test(other, one, alternative="less", **given).pvalue == first.pvalue


def test_the_mean_of_sentences_has_an_exact_test():
    """The share of all 2^10 swaps, counted one by one."""
    (a, gold), (b, _) = texts(8, 10), texts(9, 10)
    own = translation.scorer("sentence_chrf")
    one, other = (translation.sentence_scores(own, side, gold) for side in (a, b))
    signs = 1 - 2 * ((np.arange(1024)[:, None] >> np.arange(10)) & 1)
    swapped = signs @ (one - other)
    result = paired.sign_flip(one, other)
    assert result.how.startswith("exact")
    expected = np.mean(swapped >= (one - other).sum() - 1e-9)
    assert result.pvalue == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("metric", ["bleu", "chrf", "neg_ter", *translation.OF_SENTENCES])
def test_references_that_a_scorer_keeps_give_the_same(metric):
    outputs, gold = texts(4, 20, 2)
    kept, given = translation.scorer(metric, references=gold), translation.scorer(metric)
    sums = translation.segment_sums(given, outputs, gold)
    np.testing.assert_array_equal(translation.segment_sums(kept, outputs), sums)
    assert translation.signature(kept, metric) == translation.signature(given, metric)
    if metric in translation.OF_SENTENCES:
        scores = translation.sentence_scores(given, outputs, gold)
        np.testing.assert_array_equal(translation.sentence_scores(kept, outputs), scores)
        np.testing.assert_array_equal(translation.scores_of_sums(kept, sums), scores)
