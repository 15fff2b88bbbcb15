"""Words of judgement: what fits is kept, what does not fit is renewed or refused."""

import re

import numpy as np
import pandas as pd
import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from analysis import fields, paths, prose, verdicts
from analysis.dror2017 import claims
from analysis.published import read_published
from replicability import checks

CLAIMS = yaml.safe_load((paths.CONFIG / "claims.yaml").read_text("utf-8"))


@pytest.mark.parametrize(
    ("readings", "verdict"),
    [
        ({}, "cannot be checked"),
        ({"a": True}, "yes"),
        ({"a": np.True_, "b": True}, "yes"),
        ({"a": False, "b": False}, "no"),
        ({"a": False, "b": True}, "depends on the reading"),
    ],
)
def test_a_claim_is_judged_by_all_its_readings(readings, verdict):
    assert verdicts.judge(readings) == verdict


@pytest.mark.parametrize(
    ("part", "whole", "fits", "others"),
    [
        (0, 7, ["none", "no", "never"], ["all", "one", "few", "neither"]),
        (0, 2, ["none", "neither"], ["both", "one"]),
        (1, 2, ["half", "one"], ["both", "most"]),
        (2, 2, ["all", "both"], ["none", "most", "neither"]),
        (7, 7, ["all", "every", "always"], ["both", "nearly all", "most", "none"]),
        (1, 23, ["one", "few"], ["none", "a third"]),
        (8, 23, ["a third", "some"], ["a fifth", "half", "most", "two thirds"]),
        (22, 23, ["nearly all", "most"], ["all", "half"]),
        (0.2, None, ["a fifth"], ["a third", "a quarter", "one"]),
    ],
)
def test_a_share_has_the_words_of_the_scale(part, whole, fits, others):
    found = verdicts.share(part, whole).fits
    assert set(fits) <= set(found) and not set(others) & set(found)


@given(st.lists(st.booleans(), min_size=1, max_size=40))
def test_a_share_of_truths_never_is_said_of_the_opposite(truths):
    fits = set(verdicts.share(truths).fits)
    assert fits
    assert ("all" in fits) == all(truths) and ("none" in fits) == (not any(truths))
    assert ("most" in fits) == (sum(truths) > len(truths) / 2 and not all(truths))
    assert verdicts.share(pd.Series(truths)).fits == verdicts.share(sum(truths), len(truths)).fits


@pytest.mark.parametrize("part", [-0.1, 1.1, float("nan")])
def test_what_is_no_share_is_refused(part):
    with pytest.raises(checks.InputError, match="is not a share"):
        verdicts.share(part)


def test_ratios_have_words_or_are_refused():
    assert verdicts.times(2.05).fits == ("twice", "more than twice")
    with pytest.raises(checks.InputError, match=r"the value is 1.5 now; write it in digits"):
        verdicts.times(1.5)


@pytest.mark.parametrize(
    ("said", "value", "now"),
    [
        ("yes", verdicts.Word(("yes",)), "yes"),
        ("**No", verdicts.Word(("yes",)), "**Yes"),
        ("yes", verdicts.Word(("depends on the reading",)), "depends on the reading"),
        ("depends on\nthe reading", verdicts.Word(("depends on the reading",)), None),
        ("Most", verdicts.share(0.8), "Most"),
        ("nearly\nall", verdicts.share(0.95), "nearly\nall"),
        ("higher", verdicts.word(True, "higher", "lower"), "higher"),
        ("higher", verdicts.word(False, "higher", "lower"), "lower"),
        ("(half", verdicts.times(0.5), "(half"),
    ],
)
def test_a_word_that_fits_is_kept_and_a_verdict_is_renewed(said, value, now):
    assert prose.renewed(said, value) == (now or said)


@pytest.mark.parametrize(
    ("said", "value", "why"),
    [
        (
            "most",
            verdicts.share(2, 9),
            "the value is 2 of 9 now; write 'nearly a quarter' or 'a fifth'",
        ),
        ("many", verdicts.share(2, 9), "no word of judgement in front"),
        ("all", verdicts.word(True, "higher", "lower"), None),
    ],
)
def test_a_word_that_does_not_fit_is_refused(said, value, why):
    if why is None:
        assert prose.renewed(said, value) != said
    else:
        with pytest.raises(checks.InputError, match=re.escape(why)):
            prose.renewed(said, value)


def test_a_phrase_is_read_as_a_whole():
    text = "It holds (nearly\nall<!-- x --> of 9<!-- y -->), or depends on the reading<!-- z -->."
    assert [m["said"] for m in fields.FIELD.finditer(text)] == [
        "nearly\nall",
        "9",
        "depends on the reading",
    ]
    assert fields.plain(text) == "It holds (nearly\nall of 9), or depends on the reading."


def test_no_phrase_may_be_chosen_as_a_word():
    with pytest.raises(checks.InputError, match="more than one word"):
        verdicts.word(True, "much higher", "lower")


@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("count_is_too_large", "yes"),
        ("bonferroni_keeps_level", "yes"),
        ("fisher_keeps_level", "yes"),
        ("tests_keep_level", "no"),
        ("mate_spacy", "yes"),
        ("mate_redshift", "yes"),
        ("mimick_char2tag", "depends on the reading"),
        ("aesclsr_msda", "yes"),
        ("w2v_glove", "depends on the reading"),
    ],
)
def test_each_claim_has_its_verdict(name, verdict):
    assert claims.judged(name).verdict == verdict
    assert name in CLAIMS


def test_a_claim_of_a_count_is_that_of_the_published_table():
    table = read_published("dror2017", "table1").query("alpha == '0.05'").set_index("comparison")
    for name, entry in CLAIMS.items():
        if entry["rule"] == "at_least":
            row = table.loc[entry["comparison"]]
            k = row["k_fisher" if row["dependence"] == "independent" else "k_bonferroni"]
            assert f"at least {k} of " in claims.judged(name).claim


def test_the_readings_of_mimick_are_counted_by_hand():
    """Fisher's estimate of the turned p-values, from its definition."""
    table = read_published("dror2017", "table3")
    p = table["p-value"].astype(float).to_numpy()
    ahead = (table["MIMICK"].astype(float) > table["Char→Tag"].astype(float)).to_numpy()

    def k_hat(q):
        q, n = np.maximum(np.sort(q), 1e-300), len(q)
        for u in range(1, n + 1):
            if stats.chi2.sf(-2 * np.log(q[u - 1 :]).sum(), 2 * (n - u + 1)) > 0.05:
                return u - 1
        return n

    found = claims.judged("mimick_char2tag")
    halves = [np.where(ahead, p / share, 1 - p / share) for share in (1, 2)]
    assert list(found.found.values()) == [16, *map(k_hat, halves)] == [16, 3, 4]
    assert found.reason == "16 if one-sided for MIMICK even where it is behind; fewer otherwise"


def test_two_of_the_four_tests_keep_their_level():
    holds = claims.judged("tests_keep_level").holds
    assert [task for task, keeps in holds.items() if not keeps] == ["parsing", "word similarity"]


def test_an_unknown_claim_is_refused_with_the_nearest():
    with pytest.raises(checks.InputError, match="mimick_char2tag"):
        claims.judged("mimick_chartag")
