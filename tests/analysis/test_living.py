"""The living list: two transcriptions that agree, and verdicts by another route."""

import csv
import math
from urllib.parse import parse_qs

import pytest
from scipy import stats

from analysis import living, paths
from analysis.dror2017 import claims
from replicability.io import delimited

FOLDER = paths.ROOT / living.FOLDER


def lines(name):
    with (FOLDER / f"{name}.csv").open(encoding="utf-8", newline="") as file:
        return [tuple(row.values()) for row in csv.DictReader(file)]


@pytest.fixture(scope="module")
def entries():
    return {entry.claim["claim"]: entry for entry in living.entries()}


def test_two_transcriptions_agree():
    first, second = lines("first"), lines("second")
    assert len(first) == len(set(first)) > 300
    assert sorted(first) == sorted(second)


def test_there_are_at_least_forty_claims_each_with_source_place_and_link(entries):
    assert len(entries) == len(lines("claims")) >= 40
    for entry in entries.values():
        assert entry.claim["source"] and entry.claim["place"], entry
        assert entry.claim["link"].startswith("https://"), entry
        assert entry.verdict in living.VERDICTS and entry.supports, entry


def test_claims_on_models_give_the_commit_that_was_read(entries):
    for entry in entries.values():
        if "github.com" in entry.claim["link"]:
            assert len(entry.claim["link"].split("/blob/")[1].split("/")[0]) == 40


def test_every_table_is_complete_and_every_row_belongs_to_a_claim(entries):
    rows = living.read("first")
    sizes = rows.groupby("table").size()
    named = {e.claim["table"]: int(e.claim["of"]) for e in entries.values() if e.claim["table"]}
    assert named == sizes.to_dict()


def test_counts_follow_from_the_numbers(entries):
    rows = living.read("first")
    for entry in entries.values():
        table = rows[rows["table"] == entry.claim["table"]]
        sign = -1 if entry.claim["lower"] else 1
        if entry.claim["kind"] == "ahead":
            ahead = sum(
                sign * (float(a) - float(b)) > 0
                for a, b in zip(table["a"], table["b"], strict=True)
            )
            assert (ahead == int(entry.claim["claimed"])) == entry.follows


def test_means_and_medians_of_runs_support_no_bound(entries):
    # ELECTRA prints medians of many seeds, DeBERTa results of several runs
    several = [entry for entry in entries.values() if entry.claim["runs"]]
    assert {entry.claim["source"] for entry in several} == {"ELECTRA", "DeBERTa"}
    for entry in several:
        assert entry.verdict == living.NO_BASIS and "several runs" in entry.supports
        assert "n" not in parse_qs(entry.address.removeprefix("#"))["roles"][0].split(",")


def sure(p, alpha):
    """Holm's procedure, from its definition."""
    order = sorted(range(len(p)), key=lambda i: p[i])
    count = 0
    for rank, i in enumerate(order):
        if p[i] * (len(p) - rank) > alpha:
            break
        count += 1
    return count


def test_differences_are_counted_by_holm(entries):
    rows = living.read("first")
    for entry in entries.values():
        if entry.claim["kind"] == "differ":
            p = [float(text.lstrip("<")) for text in rows[rows["table"] == entry.claim["table"]].p]
            digits = [
                10.0 ** -len(t.split(".")[1]) / 2
                for t in rows[rows.table == entry.claim["table"]].p
            ]
            high = [
                x if t.startswith("<") else x + d
                for x, d, t in zip(
                    p, digits, rows[rows.table == entry.claim["table"]].p, strict=True
                )
            ]
            assert f"least {sure(high, 0.05)} of" in entry.supports, entry


def test_accuracies_are_bounded_by_binomial_tests(entries):
    """The extremes over all discordant counts, of one table, by scipy alone."""
    rows = living.read("first")
    table = rows[rows["table"] == "bfcl_1"]
    sizes = delimited.read_table(f"{living.FOLDER}/items.csv").set_index(["items", "dataset"])["n"]
    ends = {"least": [], "most": []}
    for row in table.itertuples():
        n = int(sizes["function calling", row.dataset])
        a, b = (round(float(text) * n) for text in (row.a, row.b))
        p = []
        for losses in range(max(0, b - a), min(b, n - a) + 1):
            wins = losses + a - b
            total = wins + losses
            p.append(stats.binomtest(wins, total, alternative="greater").pvalue if total else 1.0)
        ends["least"].append(max(p))
        ends["most"].append(min(p))
    least, most = (sure(ends[end], 0.05) for end in ("least", "most"))
    said = f"At least {least}" if least == most else f"At least {least}, possibly {most},"
    assert entries["bfcl_1"].supports == f"{said} of 12 datasets"


def test_known_verdicts(entries):
    assert entries["mate_spacy_k_hat_05"].verdict == living.HOLDS
    assert entries["mimick_k_hat_05"].verdict == living.DEPENDS
    assert entries["mimick_k_hat_05"].supports.startswith("At least 16 if one-sided for MIM")
    assert entries["mate_redshift_k_hat_05"].supports == "At least 5 of 7 datasets"
    assert entries["catboost_h2o"].verdict == living.NO_BASIS
    assert entries["xlnet_glue"].verdict == living.OPEN
    assert math.fsum(living.totals()) == len(entries)


def test_claims_of_the_paper_have_the_verdicts_of_their_rules(entries):
    said = {living.HOLDS: "yes", living.TOO_MANY: "no", living.DEPENDS: living.DEPENDS}
    shared = 0
    for entry in entries.values():
        claim = entry.claim
        if claim["kind"] == "k_hat":
            judged = claims.judged_of(f"{claim['a']}-{claim['b']}", float(claim["alpha"]))
            if judged:
                assert judged.claimed == int(claim["claimed"]), claim
                assert judged.verdict == said[entry.verdict], claim
                shared += 1
    assert shared == 5


def test_splits_counted_after_bonferronis_correction_are_a_bound_on_splits(entries):
    # Gorman and Bedrick (2019), Section 3.3: significant at .05/20 in this many of 20 splits
    table = delimited.read_table("data/published/gorman2019/table3.csv")
    printed = sorted(int(n) for name in ("PTB", "ON") for n in table[name])
    splits = [e for e in entries.values() if e.claim["kind"] == "splits"]
    assert sorted(int(e.claim["claimed"]) for e in splits) == printed
    for entry in splits:
        assert entry.verdict == living.HOLDS
        assert entry.supports.startswith(
            f"The systems differ on at least {entry.claim['claimed']} of 20"
        )


def test_an_address_holds_the_table_with_its_roles(entries):
    found = parse_qs(entries["xlnet_text"].address[1:])
    assert found["roles"] == ["name,a,b,n"] and found["lower"] == ["true"]
    first, *rest = found["t"][0].splitlines()
    assert first == "Dataset,XLNet-Large,BERT-Large,n"
    assert rest[0] == "IMDB,3.79,4.51,25000" and len(rest) == 6
