"""Sums and metrics against sacrebleu, conlleval by hand, scipy and published scores."""

import subprocess
import sys

import numpy as np
import pytest
import sacrebleu
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from analysis import sources
from replicability.checks import InputError
from replicability.stats import metrics

# Labels


def test_accuracy():
    sums = metrics.accuracy_sums([["A", "B", "A"], ["B"], []], [["A", "A", "A"], ["A"], []])
    np.testing.assert_array_equal(sums, [[2, 3], [0, 1], [0, 0]])
    assert metrics.metric("accuracy")(sums.sum(axis=0)) == 0.5


@pytest.mark.parametrize("kind", [list, tuple, np.array])
def test_accuracy_of_single_labels(kind):
    np.testing.assert_array_equal(
        metrics.accuracy_sums(kind(["pos", "neg", "neg"]), kind(["pos", "pos", "neg"])),
        [[1, 1], [0, 1], [1, 1]],
    )
    np.testing.assert_array_equal(
        metrics.accuracy_sums(kind([1, 0]), kind([0, 0])), [[0, 1], [1, 1]]
    )


def test_ratio_of_nothing_is_undefined():
    assert np.isnan(metrics.ratio([0, 0]))
    np.testing.assert_array_equal(metrics.ratio(np.ones((2, 3, 2))), np.ones((2, 3)))


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: metrics.accuracy_sums([["A"]], []), "1, but the number of predicted items is 0"),
        (
            lambda: metrics.accuracy_sums([["A"], ["A", "B"]], [["A"], ["A"]]),
            "Sentence 1 has 2 gold labels and 1 predicted labels; pass one label for each",
        ),
        (lambda: metrics.span_sums([["O"]], [["O", "O"]]), "Sentence 0 has 1 gold labels and 2"),
        (lambda: metrics.span_sums([["O"]], [["X-PER"]]), "Tag 0 of sentence 0 is 'X-PER'; a tag"),
        (lambda: metrics.spans(["O", ""]), "Tag 1 is ''"),
        (lambda: metrics.accuracy_sums(["A"], ["A", "B"]), "1, .* predicted items is 2"),
        (lambda: metrics.score_sums([1.0, np.nan]), "The score of item 1 is nan"),
        (lambda: metrics.score_sums([[1.0]]), r"shape \(1, 1\); pass one number for each"),
        (lambda: metrics.bleu_sums(["a"], ["a", "b"]), "1, .* predicted items is 2"),
        (lambda: metrics.bleu_sums(["a", "b"], ["a", []]), "Segment 1 has no reference"),
        (lambda: metrics.bleu_sums(["a"], ["a"], tokenise="13a"), "did you mean 'tokenize'"),
        (lambda: metrics.rating_codes([1, 2], [1, 2], [1, np.inf]), "item 1 is inf"),
        (lambda: metrics.rating_codes([1, 2], [1, 2, 3], [1, 2]), "2, .* predicted items is 3"),
        (lambda: metrics.metric("acuracy"), "did you mean 'accuracy'"),
    ],
)
def test_bad_input(call, message):
    with pytest.raises(InputError, match=message):
        call()


# Spans: worked by hand from startOfChunk and endOfChunk of conlleval


@pytest.mark.parametrize(
    ("tags", "expected"),
    [
        ("", []),
        ("O O", []),
        ("B-X I-X O B-Y", [(0, 1, "X"), (3, 3, "Y")]),  # IOB2
        ("I-X I-X O I-Y", [(0, 1, "X"), (3, 3, "Y")]),  # IOB1
        ("I-X B-X I-X", [(0, 0, "X"), (1, 2, "X")]),  # IOB1: B parts neighbours of one type
        ("B-X B-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X B-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("I-X I-Y I-Y", [(0, 0, "X"), (1, 2, "Y")]),  # the type changes inside
        ("B-X I-Y", [(0, 0, "X"), (1, 1, "Y")]),
        ("O I-X", [(1, 1, "X")]),
        ("B-X O I-X", [(0, 0, "X"), (2, 2, "X")]),
        ("B-X I-X E-X S-Y", [(0, 2, "X"), (3, 3, "Y")]),  # IOBES
        ("S-X S-X I-X", [(0, 0, "X"), (1, 1, "X"), (2, 2, "X")]),
        ("E-X E-X", [(0, 0, "X"), (1, 1, "X")]),
        ("B-X L-X U-X", [(0, 1, "X"), (2, 2, "X")]),  # BILOU
        ("B-X-Y I-X-Y", [(0, 1, "X-Y")]),
        ("B I O", [(0, 1, "")]),  # no types
    ],
)
def test_spans(tags, expected):
    assert sorted(metrics.spans(tags.split())) == expected


def test_span_sums_across_schemes():
    gold = [["B-X", "I-X", "O", "B-Y"], ["O", "B-X", "B-X"], ["O"]]
    tags = [["I-X", "I-X", "O", "I-X"], ["O", "I-X", "I-X"], ["O"]]
    sums = metrics.span_sums(gold, tags)
    np.testing.assert_array_equal(sums, [[1, 2, 2], [0, 1, 2], [0, 0, 0]])
    assert metrics.precision(sums.sum(axis=0)) == 1 / 3
    assert metrics.f1(sums.sum(axis=0)) == pytest.approx(2 / 7)
    assert metrics.f1([0, 0, 0]) == 0


def conlleval(gold_tags, tags):
    """Count as the program does: both sequences at once, word by word."""

    def split(tag):
        return ("O", "") if tag == "O" else tuple(tag.split("-", 1))

    correct = guessed = true = 0
    inside = False
    last = last_guess = ("O", "")
    for gold, guess in [*zip(gold_tags, tags, strict=True), ("O", "O")]:
        now, now_guess = split(gold), split(guess)

        def ended(before, after):
            moved = before[0] in "BI" and after[0] in "BO"
            return moved or (before[0] != "O" and before[1] != after[1])

        def started(before, after):
            moved = after[0] == "B" or (before[0] == "O" and after[0] == "I")
            return moved or (after[0] != "O" and before[1] != after[1])

        end, end_guess = ended(last, now), ended(last_guess, now_guess)
        start, start_guess = started(last, now), started(last_guess, now_guess)
        if inside:
            if end and end_guess and last[1] == last_guess[1]:
                inside = False
                correct += 1
            elif end != end_guess or now[1] != now_guess[1]:
                inside = False
        if start and start_guess and now[1] == now_guess[1]:
            inside = True
        true, guessed = true + start, guessed + start_guess
        last, last_guess = now, now_guess
    return [correct, guessed, true]


tag = st.sampled_from(["O", "B-X", "I-X", "B-Y", "I-Y"])


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(tag, tag), min_size=1, max_size=8))
def test_span_sums_agree_with_conlleval(pairs):
    gold, guess = map(list, zip(*pairs, strict=True))
    assert metrics.span_sums([gold], [guess])[0].tolist() == conlleval(gold, guess)


def sentences(text):
    """Sentences of a file with one tag per line."""
    return [block.split("\n") for block in text.strip("\n").split("\n\n")]


@pytest.mark.parametrize(
    ("system", "counts", "published"),
    [
        ("florian", (5001, 5620, 5648), 88.76),
        ("chieu", (4999, 5673, 5648), 88.31),
        ("klein", (4885, 5672, 5648), 86.31),
    ],
)
def test_conll_2003(mirror, system, counts, published):
    """Counts from the system's own conlleval.out; F1 as printed there."""
    folder = mirror("conll2003")
    gold, tags = (
        sentences((folder / file).read_text(encoding="utf-8"))
        for end in ("gold.eng.testb.tags", f"/{system}/eng.testb")
        for file in sources.files("conll2003")
        if file.endswith(end)
    )
    sums = metrics.span_sums(gold, tags).sum(axis=0)
    assert round(100 * float(metrics.f1(sums)), 2) == published
    assert tuple(sums) == counts


# BLEU


def texts(seed, n=40):
    """Outputs and references, some outputs empty, short or without a match."""
    rng = np.random.default_rng(seed)
    words = np.array(["the", "cat", "sat", "on", "a", "mat,", "don't", "U.S.", "3.5%", "Dog"])
    references = [" ".join(rng.choice(words, rng.integers(1, 15))) for _ in range(n)]
    outputs = [
        " ".join(
            w if rng.random() < 0.8 else rng.choice(words) for w in r.split()[: rng.integers(16)]
        )
        for r in references
    ]
    return outputs, references


@pytest.mark.parametrize("n", [1, 2, 5, 40])
@pytest.mark.parametrize("seed", range(8))
def test_bleu_is_sacrebleus(seed, n):
    outputs, references = texts(seed, n)
    others = texts(seed + 100, n)[1]
    sums = metrics.bleu_sums(outputs, references)
    expected = sacrebleu.corpus_bleu(outputs, [references]).score
    assert metrics.bleu(sums.sum(axis=0)) == pytest.approx(expected, rel=1e-13, abs=1e-13)
    sums = metrics.bleu_sums(outputs, list(zip(references, others, strict=True)), lowercase=True)
    expected = sacrebleu.corpus_bleu(outputs, [references, others], lowercase=True).score
    assert metrics.bleu(sums.sum(axis=0)) == pytest.approx(expected, rel=1e-13, abs=1e-13)


def test_bleu_of_totals():
    """All branches of sacrebleu's smoothing, and a batch at once."""
    rng = np.random.default_rng(0)
    grams = np.sort(rng.integers(0, 12, (500, 4)))[:, ::-1]
    matched = rng.integers(0, grams + 1)
    totals = np.column_stack([grams[:, 0], rng.integers(1, 15, 500), matched, grams])
    expected = [
        sacrebleu.BLEU.compute_bleu(row[2:6], row[6:], row[0], row[1], smooth_method="exp").score
        for row in totals.tolist()
    ]
    np.testing.assert_allclose(metrics.bleu(totals), expected, rtol=1e-13, atol=1e-300)
    np.testing.assert_array_equal(
        metrics.bleu(totals.reshape(5, 100, 10)), metrics.bleu(totals).reshape(5, 100)
    )
    assert (metrics.bleu(totals) == 0).any() and (metrics.bleu(totals) > 0).any()


def test_bleu_without_sacrebleu(monkeypatch):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    with pytest.raises(InputError, match=r"not installed; run pip install sacrebleu"):
        metrics.bleu_sums(["a"], ["a"])


@pytest.mark.slow
def test_only_bleu_loads_sacrebleu():
    code = "import sys, analysis, replicability.cli, replicability.show.html_report\n"
    code += "from replicability.stats import metrics; print('sacrebleu' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


# Spearman


@pytest.mark.parametrize("ties", [2, 10, 10**6])
def test_spearman_is_scipys(ties):
    rng = np.random.default_rng(ties)
    x, y = rng.integers(0, ties, (2, 4, 50)) / 7
    expected = [stats.spearmanr(p, q).statistic for p, q in zip(x, y, strict=True)]
    np.testing.assert_allclose(metrics.spearman(x, y), expected, atol=1e-14)


def test_rating_codes_keep_the_correlation():
    rng = np.random.default_rng(0)
    gold, a, b = rng.normal(size=(3, 60)).round(1)
    expected = stats.spearmanr(gold, a).statistic - stats.spearmanr(gold, b).statistic
    codes = metrics.rating_codes(gold, a, b)
    assert codes.dtype == np.int32
    assert metrics.spearman_difference(codes) == pytest.approx(expected, abs=1e-14)
    data = np.column_stack([gold, a, b])
    index = rng.integers(0, 60, (20, 60))
    np.testing.assert_allclose(
        metrics.spearman_difference(codes[index]),
        metrics.spearman_difference(data[index]),
        atol=1e-14,
    )


def test_spearman_of_constant_is_undefined():
    assert np.isnan(metrics.spearman([1, 1, 1], [1, 2, 3]))
    assert np.isnan(metrics.spearman([1.5, 1.5, 1.5], [1, 2, 3]))


# Metrics


def test_registry():
    for name, metric in metrics.METRICS.items():
        assert metric.name == name
        assert metric.common_denominator == (metric.value is metrics.ratio)


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(0, 9)), min_size=1))
def test_f1_is_between_precision_and_recall(rows):
    sums = np.array(
        [(correct, correct + more, correct + missed) for correct, more, missed in rows]
    ).sum(axis=0)
    precision, recall = metrics.precision(sums), metrics.precision(sums[[0, 2, 1]])
    assert min(precision, recall) - 1e-12 <= metrics.f1(sums) <= max(precision, recall) + 1e-12
