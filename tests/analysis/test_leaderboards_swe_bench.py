"""SWE-bench: what a reader would quote, by a second route from the raw file; and the audit."""

import json
import math

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import paths, published
from analysis.leaderboards import swe_bench
from analysis.studies import read_study
from replicability import forensics

RAW = (
    "SWE-bench/swe-bench.github.io/f1176b65ae29d14f4f52208b48e3d8cfc972bc17/data/leaderboards.json"
)
LEFT_OUT = "Claude 3.7 Sonnet (20250219)"


def made(name):
    return pd.read_csv(
        paths.ROOT / "tables" / "leaderboards" / f"{name}.csv", keep_default_na=False
    )


@pytest.fixture(scope="module")
def entries(mirror):
    """Return the printed ranking: the entries of "bash-only", percentages as printed."""
    text = (mirror("swe-bench.github.io") / RAW).read_text(encoding="utf-8")
    boards = json.loads(text, parse_float=str)["leaderboards"]
    return next(board["results"] for board in boards if board["name"] == "bash-only")


@pytest.fixture(scope="module")
def resolved(entries):
    """Return model -> issue -> whether it is resolved, for the lists that count."""
    lists = {e["name"]: e["per_instance_details"] for e in entries if e.get("per_instance_details")}
    frame = pd.DataFrame(
        {name: {i: d["resolved"] for i, d in details.items()} for name, details in lists.items()}
    )
    printed = {entry["name"]: float(entry["resolved"]) for entry in entries}
    apart = {name: abs(100 * frame[name].mean() - printed[name]) for name in frame}
    assert [name for name, points in apart.items() if points >= 0.2] == [LEFT_OUT]
    return frame.drop(columns=LEFT_OUT).sort_index()


def mcnemar(a, b):
    wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
    return stats.binomtest(wins, wins + losses, alternative="greater").pvalue if wins else 1.0


def by_repository(frame, a, b):
    repository = frame.index.str.rpartition("-").get_level_values(0)
    return [mcnemar(part[a], part[b]) for _, part in frame.groupby(repository)]


def fisher_count(p, alpha):
    """Count by partial conjunction: sum of the n - u + 1 largest p-values, u as far as it goes."""
    largest = np.sort(p)[::-1]
    for u in range(1, len(p) + 1):
        if stats.combine_pvalues(largest[: len(p) - u + 1], method="fisher").pvalue > alpha:
            return u - 1
    return len(p)


def test_printed_percentages_are_those_of_the_file(entries):
    printed = published.read_published("jimenez2024", "bash_only")
    assert printed["model"].tolist() == [entry["name"] for entry in entries]
    assert printed["resolved"].tolist() == [entry["resolved"] for entry in entries]
    marked = ["open" if entry["os_model"] else "" for entry in entries]
    assert printed["weights"].tolist() == marked
    listed = [bool(entry.get("per_instance_details")) for entry in entries]
    assert (printed["column"] != "").tolist() == listed


def test_22_of_25_percentages_are_those_of_their_list(entries):
    counts = {
        e["name"]: sum(d["resolved"] for d in e["per_instance_details"].values())
        for e in entries
        if e.get("per_instance_details")
    }
    printed = {entry["name"]: entry["resolved"] for entry in entries}
    wrong = [name for name, k in counts.items() if f"{k / 5:.1f}" != printed[name]]
    assert (len(counts), len(wrong)) == (25, 3)
    assert (counts[LEFT_OUT], printed[LEFT_OUT]) == (51, "52.8")
    disputed = made("swe_bench_disputed")
    without = [name for name in printed if name not in counts]
    listed = disputed["in its list"] != ""
    assert disputed["model"][listed].tolist() == [name.split(" (")[0] for name in wrong]
    assert disputed["model"][~listed].tolist() == [name.split(" (")[0] for name in without]
    assert not [n for n in without if (float(printed[n]) * 5).is_integer()]


def test_the_named_pairs_follow_the_rules(entries, resolved):
    pairs = {c.name: c.systems for c in read_study("config/leaderboards.yaml").section("swe_bench")}
    usable = [entry for entry in entries if entry["name"] in resolved]
    first, second = (entry["name"].split(" (")[0] for entry in usable[:2])
    best_open = next(entry["name"] for entry in usable if entry["os_model"])
    assert pairs["first_second"] == (first, second)
    assert pairs["closed_open"] == (first, best_open)
    (family,) = [f for f in read_study("config/leaderboards.yaml").families if f.name == "agents"]
    assert list(family.columns["scores"]) == [entry["name"].split(" (")[0] for entry in usable]


@pytest.mark.parametrize(("second", "count"), [(1, 0), ("Minimax M2", 2)])
def test_counts_and_totals_of_the_named_pairs(resolved, second, count):
    a, b = resolved.columns[0], resolved.columns[second] if second == 1 else second
    p = by_repository(resolved, a, b)
    assert len(p) == 12
    assert fisher_count(p, 0.05) == count
    row = made("swe_bench_as_one").set_index("B").loc[b.split(" (")[0]]
    assert row["only A"] == (resolved[a] & ~resolved[b]).sum()
    assert row["only B"] == (resolved[b] & ~resolved[a]).sum()
    assert row["all issues"] == pytest.approx(
        100 * (resolved[a].mean() - resolved[b].mean()), abs=0.05
    )
    assert mcnemar(resolved[a], resolved[b]) == pytest.approx(float(row["p"]), rel=0.05)


def test_pairs_of_models_that_differ(resolved):
    ranked = resolved[resolved.sum().sort_values(ascending=False, kind="stable").index]
    level, names = 0.05 / (24 * 23), list(ranked)
    neighbours, leads = np.zeros(2, dtype=int), {"total": [], "single": []}
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            whole = min(mcnemar(ranked[a], ranked[b]), mcnemar(ranked[b], ranked[a]))
            parts = [by_repository(ranked, *pair) for pair in ((a, b), (b, a))]
            some = min(stats.combine_pvalues(p, method="fisher").pvalue for p in parts)
            if b == names[i + 1]:
                neighbours += np.array([whole, some]) <= 0.05 / 46
            lead = 100 * (ranked[a].mean() - ranked[b].mean())
            leads["total"] += [lead] * int(whole <= level)
            leads["single"] += [lead] * int(some <= level)
    rows = made("swe_bench_pairs")
    assert rows["pairs"].tolist() == [f"{len(found)} of 276" for found in leads.values()]
    assert rows["against the ranking"].tolist() == [0, 0]
    assert (
        rows["neighbours"].tolist() == [f"{n} of 23" for n in neighbours] == ["4 of 23", "1 of 23"]
    )
    assert rows["smallest lead that differs"].tolist() == pytest.approx(
        [min(leads["total"]), min(leads["single"])], abs=0.05
    )


def power_of(n, share, gain, alpha):
    """Return the power of McNemar's exact test, by summing over all numbers of wins and losses."""
    discordant, total = max(share, gain), 0.0
    win = (1 + gain / discordant) / 2
    for d in range(n + 1):
        tail = stats.binom.sf(np.arange(-1, d), d, 0.5)  # p-value of 0 to d wins
        wins = np.flatnonzero(tail <= alpha)
        if len(wins):
            total += stats.binom.pmf(d, n, discordant) * stats.binom.sf(wins[0] - 1, d, win)
    return total


def test_floors_and_least_gains_of_repositories(resolved):
    ranked = resolved[resolved.sum().sort_values(ascending=False, kind="stable").index].to_numpy()
    share = float(np.median((ranked[:, 1:] != ranked[:, :-1]).mean(axis=0)))
    assert share == swe_bench.discordant([c.split(" (")[0] for c in resolved])
    sizes = resolved.index.str.rpartition("-").get_level_values(0).value_counts()
    rows = made("swe_bench_floors")
    assert sorted(rows["issues"][:-1]) == sorted(sizes)
    for row in rows.itertuples():
        assert float(row[3]) == pytest.approx(0.5**row.issues, rel=0.05)
        for gain, alpha in ((row[5], 0.05), (row[6], 0.05 if row.issues == 500 else 0.05 / 12)):
            if gain == "":
                assert 0.5**row.issues > alpha
            else:
                points = float(gain) / 100
                assert power_of(row.issues, share, min(1, points + 0.001), alpha) >= 0.8
                assert power_of(row.issues, share, points - 0.003, alpha) < 0.8


def test_expected_counts_by_simulation(resolved):
    share, rng = 0.216, np.random.default_rng(20240)
    sizes = resolved.index.str.rpartition("-").get_level_values(0).value_counts().to_numpy()
    rows = made("swe_bench_expected").set_index(["suite", "gain"])
    for gain, said in ((0.05, "5 points"), (0.1, "10 points")):
        d = rng.binomial(sizes, share, size=(4000, 12))
        wins = rng.binomial(d, (1 + gain / share) / 2)
        p = stats.binom.sf(wins - 1, d, 0.5)
        k = [fisher_count(row, 0.05) for row in p]
        found = rows.loc[("12 repositories", said)]
        assert np.mean(k) == pytest.approx(found["k̂"], abs=0.1)
        assert np.mean(np.array(k) > 0) == pytest.approx(found["P(k̂ > 0)"], abs=0.03)
        assert np.mean((p <= 0.05).sum(axis=1)) == pytest.approx(found["count"], abs=0.1)
        assert power_of(500, share, gain, 0.05) == pytest.approx(
            rows.loc[("500 issues", said), "k̂"], abs=0.06
        )


def test_two_percentages_fit_499_issues():
    printed = published.read_published("jimenez2024", "bash_only").set_index("column")["resolved"]
    counts = swe_bench.read_issues()
    for model in ("Claude 4 Sonnet", "Llama 4 Maverick Instruct"):
        assert f"{100 * counts[model].sum() / 499:.2f}" == printed[model]
        assert f"{100 * counts[model].sum() / 500:.2f}" != printed[model]


def test_verdicts_on_the_printed_percentages(monkeypatch):
    found = {v.claim.rpartition("by ")[2]: v for v in swe_bench.audit()}
    counts = pd.Series([v.verdict for v in found.values()]).value_counts().to_dict()
    assert counts == {
        forensics.AGREES: 22,
        forensics.DEPENDS: 7,
        forensics.CONTRADICTED: 1,
        forensics.IMPOSSIBLE: 1,
    }
    # 190/480, 133/463, 119/497, 107/495 and 66/488 are the percentages that are printed
    totals = {"GPT-4.1": 480, "Gemini 2.5 Flash": 463, "GPT-4.1-mini": 497, "GPT-4o": 495}
    for model, total in {**totals, "Gemini 2.0 flash": 488, "Claude 4 Sonnet": 499}.items():
        assert f"of {total} issues, if those without a prediction" in found[model].readings
    table = published.read_published("jimenez2024", "bash_only")
    table.loc[0, "resolved"] = "74.6"
    table.loc[table["model"] == "Gemini 2.0 flash", "resolved"] = "13.6"
    monkeypatch.setattr(swe_bench, "read_published", lambda *_: table)
    altered = {v.claim.rpartition("by ")[2]: v.verdict for v in swe_bench.audit()}
    assert altered["Claude 4.5 Opus medium"] == forensics.CONTRADICTED
    assert altered["Gemini 2.0 flash"] == forensics.UNCHECKED


def test_the_figure_has_every_repository():
    table = swe_bench.repositories(0.2, 0.05)
    (axis,) = swe_bench.figure(table).axes
    alone, among, total, never = axis.lines
    assert len(among.get_xdata()) == len(alone.get_xdata()) == 12
    assert np.isnan(among.get_ydata()).sum() == len(never.get_xdata()) == 2
    assert total.get_xdata().tolist() == [500]
    assert all(map(math.isfinite, total.get_ydata()))
