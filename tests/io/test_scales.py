import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from replicability import checks
from replicability.io import scales

BINARY = np.array([1.0, 1, 0, 1, 0, 1, 0, 0])
OTHER = np.array([1.0, 0, 0, 1, 0, 0, 0, 1])
SHARES = np.array([0.2, 0.9, 1, 0, 0.5, 0.5, 0.25, 0.75])
POOR = np.array([0.0, 0, 0, 0, 0, 1, 0, 0])


def refuse(a, b):
    scales.refuse_units("AB", (a, b))
    scales.refuse_different("AB", (a, b))


# name -> scores of A, scores of B, and what is said about the two
DIFFERENT = {
    "right or wrong beside 0 and 100": (BINARY, 100 * OTHER, "in [0, 1], but those of B reach 100"),
    "below half right": (POOR, 100 * POOR[::-1], "in [0, 1], but those of B reach 100"),
    "0 and 50": (BINARY, 50 * OTHER, "in [0, 1], but those of B reach 50"),
    "shares beside per cent": (SHARES, 100 * SHARES, "in [0, 1], but those of B reach 100"),
    "low shares": (SHARES / 50, 2 * SHARES[::-1] * 5, "in [0, 1], but those of B reach 10"),
    "per mille": (SHARES, 1000 * SHARES, "in [0, 1], but those of B reach 1000"),
    "log-likelihoods": (
        BINARY,
        np.log(SHARES / 2 + 0.01),
        "never negative (up to 1), but those of B",
    ),
    "loss and its opposite": (SHARES + 1, -SHARES - 1, "never positive (down to -2)"),
    "negative log-likelihoods": (BINARY, -np.log(SHARES / 2 + 0.01), "are other numbers, from"),
    "-1 for wrong": (BINARY, 2 * OTHER - 1, "are 0 and 1, but those of B are -1 and 1"),
    "shares beside counts": (SHARES, np.arange(8.0), "whole numbers up to 7"),
}
ALIKE = {
    "right or wrong": (BINARY, OTHER),
    "shares": (SHARES, SHARES / 2),
    "right or wrong beside partly right": (BINARY, SHARES),
    "per cent": (100 * SHARES, 7 * SHARES),
    "no answer is right": (0 * BINARY, 20 * SHARES),
    "counts": (BINARY, 3 * OTHER),
    "scores a little above 1": (SHARES, SHARES + 0.1),
    "one high score": (SHARES, np.append(SHARES[:-1], 40)),
    "log-likelihoods of both": (-SHARES, -7 * SHARES),
    "around zero": (SHARES, SHARES - 0.5),
}


@pytest.mark.parametrize("case", DIFFERENT)
def test_scores_on_different_scales_are_refused(case):
    a, b, said = DIFFERENT[case]
    with pytest.raises(checks.InputError) as caught:
        refuse(a, b)
    assert said in str(caught.value)
    assert "; score both systems" in str(caught.value)
    with pytest.raises(checks.InputError):
        refuse(b, a)


@pytest.mark.parametrize("case", ALIKE)
def test_scores_on_one_scale_are_not(case):
    a, b = ALIKE[case]
    refuse(a, b)
    refuse(b, a)


@given(
    st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=30),
    st.sampled_from([10, 20, 100, 1000]),
)
def test_right_and_wrong_times_a_factor(pairs, factor):
    a, b = np.array(pairs, dtype=float).T
    refuse(a, b)
    refuse(factor * a, factor * b)
    if a.any() and b.any():
        with pytest.raises(checks.InputError, match="on the same scale"):
            refuse(a, factor * b)


@pytest.mark.parametrize(
    "name",
    [
        "ppl", "PPL", "loss", "eval_loss", "evalLoss", "WER (%)", "ter", "TER", "error",
        "error rate", "word_perplexity", "byte_perplexity", "bits_per_byte", "Brier score",
        "nll", "log_loss", "negative log-likelihood", "cross-entropy", "RMSE", "mean squared error",
        "edit distance",
        "DER", "time",
    ],
)  # fmt: skip
def test_metrics_of_which_less_is_better_are_refused_by_name(name):
    assert scales.lower_is_better(name)
    with pytest.raises(
        checks.InputError, match=r"^f\.csv: the name suggests that a lower .* is better"
    ):
        scales.refuse_lower("f.csv", name)
    for declared in (True, False):
        scales.refuse_lower("f.csv", name, declared)


def test_the_metric_may_stand_in_the_headers_of_all_systems():
    assert scales.of_systems(["wer_ours", "wer_base"]) == "wer"
    assert scales.of_systems(["ours/loss", "base/loss", "best/loss"]) == "loss"
    assert scales.of_systems(["ours", "loss_2"]) == scales.of_systems(["lossless", "loss"]) == ""


@pytest.mark.parametrize(
    "name",
    [
        "acc", "acc_norm", "exact_match", "chrF2", "LAS", "f1", "score", "neg_loss",
        "log_likelihood", "negative perplexity", "grammatical error correction F0.5",
        "Spearman's ρ",
        "lossless", "",
        "Anteil der richtigen Antworten", "accuracy per sentence", "right", "errorless",
    ],
)  # fmt: skip
def test_other_names_are_not(name):
    assert not scales.lower_is_better(name)
    scales.refuse_lower("f.csv", name)
