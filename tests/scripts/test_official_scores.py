"""Scores of the shared-task systems equal the official and the published ones to two decimals."""

import pandas as pd
import pytest

from analysis import paths
from analysis.published import read_published

COMPUTED = paths.ROOT / "data" / "outcomes" / "treebanks.csv"
# Written by conll18_ud_eval.py of the shared task (ufal/conll2018 on GitHub, F1 in per cent), run
# over every system output with the gold file of its treebank:
#   scores, _ = evaluate(load_conllu_file(gold), load_conllu_file(system))
#   "%.2f" % (100 * scores[metric].f1) for metric in ("Words", "UPOS", "UAS", "LAS")
OFFICIAL = paths.ROOT / "tests" / "scripts" / "official_scores.csv"
KEY = ["edition", "treebank", "system"]
METRICS = ["upos", "uas", "las"]
EDITIONS = {"2017": ("zeman2017", 48), "2018": ("zeman2018", 1716)}


def by_metric(table):
    """Return one score a row, the metric as the last level of the index."""
    long = table.melt(var_name="metric", value_name="score", ignore_index=False)
    return long.set_index("metric", append=True)["score"]


def computed(file=COMPUTED):
    """Return F1 in per cent, with two decimals, from the counts of correct words."""
    counts = pd.read_csv(file, dtype={"edition": str}).set_index(KEY)
    words = counts["gold_words"] + counts["system_words"]
    return by_metric((200 * counts[METRICS]).div(words, axis=0)).map("{:.2f}".format)


def official():
    """Return what the official evaluation script printed."""
    return by_metric(pd.read_csv(OFFICIAL, dtype=str).set_index(KEY))


def published(edition):
    """Return the typed scores of an edition."""
    table = read_published(EDITIONS[edition][0], "scores").assign(edition=edition)
    return table.set_index([*KEY, "metric"])["printed"]


def is_words(scores):
    """Return which scores are of word segmentation; the counts do not hold it."""
    return scores.index.get_level_values("metric") == "words"


def common(scores, other):
    """Return the scores whose labels are also in another series."""
    return scores[scores.index.isin(other.index)]


def differing(found, expected):
    """Return the lines that name the labels which one side lacks or whose values differ."""
    both = pd.concat({"found": found, "expected": expected}, axis=1).fillna("no row")
    rows = both[both["found"] != both["expected"]]
    return "\n".join(
        f"{' '.join(label)}: {row.found}, expected {row.expected}" for label, row in rows.iterrows()
    )


def test_every_score_is_that_of_the_official_evaluation_script():
    reference = official()
    lines = differing(computed(), reference[~is_words(reference)])
    assert not lines, f"\n{lines}"


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_published_score_is_the_computed_one(edition):
    printed = published(edition)
    words = printed[is_words(printed)]
    lines = differing(common(computed(), printed), printed[~is_words(printed)])
    assert not lines, f"\n{lines}"
    lines = differing(common(official(), words), words)
    assert not lines, f"\n{lines}"


@pytest.mark.parametrize(("edition", "number"), [(e, n) for e, (_, n) in EDITIONS.items()])
def test_the_published_scores_are_complete(edition, number):
    printed = published(edition)
    assert printed.index.is_unique
    assert len(printed) == number
    assert printed.str.fullmatch(r"\d{1,3}\.\d\d").all()
    metrics = printed.index.unique("metric")
    assert set(METRICS) <= set(metrics)
    outputs = official().loc[[edition]].index.droplevel("metric").unique()
    assert set(printed.index) == {(*output, metric) for output in outputs for metric in metrics}


def test_the_ranking_holds_the_systems_in_the_order_of_their_las():
    ranking = read_published("zeman2018", "ranking")
    las = ranking["las"].astype(float)
    assert ranking["rank"].astype(int).tolist() == las.rank(method="min", ascending=False).tolist()
    assert las.is_monotonic_decreasing
    assert set(ranking["system"]) == set(published("2018").index.get_level_values("system"))


def test_a_differing_or_missing_score_is_named(tmp_path):
    file = tmp_path / "treebanks.csv"
    file.write_text(
        "edition,treebank,system,gold_words,system_words,upos,uas,las\n"
        "2018,en_gum,one,100,100,90,80,70\n"
        "2018,en_gum,two,120,80,90,80,7\n",
        encoding="utf-8",
    )
    found = computed(file)
    expected = found.drop(("2018", "en_gum", "one", "uas")).replace("7.00", "7.01")
    assert differing(found, expected).splitlines() == [
        "2018 en_gum one uas: 80.00, expected no row",
        "2018 en_gum two las: 7.00, expected 7.01",
    ]
