"""BIG-Bench Hard: what a reader would quote, by a second route from raw files; and the audit."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import stats

import replicability as rep
from analysis import paths, published
from analysis.leaderboards import big_bench_hard, suzgun2023
from analysis.studies import host, read_study
from replicability import forensics
from replicability.core import findings

RAW = "suzgunmirac/BIG-Bench-Hard/9ee07bd481feebf959a6b59d61ea57bdcf30964d/code-davinci-002-outputs"
TAIL = "_few_shot_template_0-255000"


def made(name):
    return pd.read_csv(
        paths.ROOT / "tables" / "leaderboards" / f"{name}.csv", keep_default_na=False
    )


@pytest.fixture(scope="module")
def raw(mirror):
    """Return task -> way of prompting -> (answer is right, output has an answer) by question."""
    folder, found = mirror("BIG-Bench-Hard") / RAW, {}
    for path in sorted(folder.glob(f"*/*{TAIL}.json")):
        task = path.name.removesuffix(f"{TAIL}.json").replace("_", " ")
        rows = json.loads(path.read_text(encoding="utf-8"))["outputs"]
        after = [row["prediction"].rpartition("answer is")[2].strip(" .") for row in rows]
        right = np.array([a == row["target"] for a, row in zip(after, rows, strict=True)])
        ended = np.array(["answer is" in row["prediction"] for row in rows])
        found.setdefault(task, {})[path.parent.name.rpartition("-")[2]] = right, ended
    return found


@pytest.fixture(scope="module")
def pvalues(raw):
    """Return task -> one-sided p-values of "chain of thought is better" and of the reverse."""
    found = {}
    for task, ways in raw.items():
        (a, _), (b, _) = ways["cot"], ways["direct"]
        wins, losses = int((a & ~b).sum()), int((b & ~a).sum())
        found[task] = [
            stats.binomtest(k, wins + losses, alternative="greater").pvalue for k in (wins, losses)
        ]
    return pd.DataFrame(found, index=["chain", "direct"]).T


def bound(p, inside, alpha, combine):
    """Bound by closed testing: the largest p-values inside and outside are the hardest sets."""
    inner, outer = np.sort(p[inside])[::-1], np.sort(p[~inside])[::-1]
    missed = [
        t
        for t in range(1, len(inner) + 1)
        for j in range(len(outer) + 1)
        if combine(np.concatenate([inner[:t], outer[:j]])) > alpha
    ]
    return len(inner) - max(missed, default=0)


def fisher(p):
    return stats.combine_pvalues(p, method="fisher").pvalue


def simes(p):
    return (np.sort(p) * len(p) / np.arange(1, len(p) + 1)).min()


def bonferroni(p):
    return p.min() * len(p)


def test_the_authors_accuracies_are_those_of_the_raw_answers(raw, mirror):
    printed = published.read_published("suzgun2023", "eval_metrics").set_index("task")
    folder = mirror("BIG-Bench-Hard") / RAW
    assert len(raw) == len(printed) == 27
    for task, ways in raw.items():
        for way, column in (("cot", "chain of thought"), ("direct", "direct")):
            name = f"code-davinci-002-{way}/{task.replace(' ', '_')}{TAIL}_eval_metrics.jsonl"
            computed = json.loads((folder / name).read_text(encoding="utf-8"))["accuracy"]
            assert 100 * ways[way][0].mean() == pytest.approx(computed, abs=1e-9)
            assert float(printed.loc[task, column]) == computed


def test_counts_and_names_by_three_local_tests(pvalues):
    p, everything = pvalues["chain"].to_numpy(), np.ones(27, dtype=bool)
    rows = made("bbh_methods").set_index("local test")
    for name, combine in (("Bonferroni", bonferroni), ("Simes", simes), ("Fisher", fisher)):
        assert bound(p, everything, 0.05, combine) == rows["at least"][name]
        alone = [bound(p, np.arange(27) == i, 0.05, combine) for i in range(27)]
        assert sum(alone) == rows["named"][name]
    holm = sum(np.sort(p)[i] <= 0.05 / (27 - i) for i in range(27))
    assert holm == rows["named"]["Bonferroni"] == 15
    assert rows["at least"].tolist() == [15, 17, 18]


def test_groups_and_means(raw, pvalues):
    comparison = read_study("config/leaderboards.yaml").section("big_bench_hard")[0]
    rows = made("bbh_groups").set_index("group")
    share = {
        task: [100 * ways[w][0].mean() for w in ("cot", "direct")] for task, ways in raw.items()
    }
    for name, group in comparison.groups.items():
        inside = pvalues.index.isin(group)
        found = bound(pvalues["chain"].to_numpy(), inside, 0.05, fisher)
        assert found == rows["shown on at least"][name]
        chain, direct = np.mean([share[task] for task in group], axis=0)
        assert [chain, direct, chain - direct] == pytest.approx(
            rows.loc[name, ["chain of thought", "direct", "gain"]].tolist(), abs=0.051
        )
        assert rows["ahead on"][name] == sum(share[task][0] > share[task][1] for task in group)


def test_no_task_is_shown_on_which_it_hurts_but_alone(pvalues):
    p, everything = pvalues["direct"].to_numpy(), np.ones(27, dtype=bool)
    rows = made("bbh_back").set_index(["local test", "asked"])["at least"]
    for name, combine in (("Bonferroni", bonferroni), ("Simes", simes), ("Fisher", fisher)):
        assert bound(p, everything, 0.05, combine) == rows[name, "alone"]
        assert bound(p, everything, 0.025, combine) == rows[name, "both directions"] == 0
    assert pvalues["direct"].idxmin() == "word sorting"
    behind = made("bbh_behind")
    assert behind["task"].tolist() == list(pvalues["direct"].sort_values().index[:6])


def test_chains_that_do_not_end(raw):
    rows = made("bbh_unfinished").set_index("task")
    missing = {task: int((~ways["cot"][1]).sum()) for task, ways in raw.items()}
    assert {t: n for t, n in missing.items() if n >= 3} == rows["no answer"].to_dict()
    (chain, ended), (direct, _) = raw["word sorting"]["cot"], raw["word sorting"]["direct"]
    row = rows.loc["word sorting"]
    assert 100 * chain[ended].mean() == pytest.approx(
        row["chain of thought, where it ends"], abs=0.05
    )
    assert 100 * direct[ended].mean() == pytest.approx(row["direct, where it ends"], abs=0.05)


def test_chains_that_do_not_end_break_off_on_longer_lists(mirror):
    folder = mirror("BIG-Bench-Hard") / RAW / "code-davinci-002-cot"
    rows = json.loads((folder / f"word_sorting{TAIL}.json").read_text(encoding="utf-8"))["outputs"]
    lengths = {True: [], False: []}
    for row in rows:
        lengths["answer is" in row["prediction"]].append(len(row["target"].split()))
    assert np.mean(lengths[False]) > 2 * np.mean(lengths[True])


def test_groups_are_the_marks_of_the_paper():
    comparison = read_study("config/leaderboards.yaml").section("big_bench_hard")[0]
    printed = suzgun2023.read_paper()
    for name, mark in (("algorithmic", "λ"), ("language", "")):
        parts = [part for task in printed.members(mark) for part in printed.parts(task)]
        assert sorted(parts) == sorted(comparison.groups[name])
    assert len(printed.members("λ")) == 11
    assert len(printed.members("")) == 12


def test_all_that_is_printed_of_codex_on_tasks_is_reproduced():
    printed = suzgun2023.read_paper()
    assert {v.verdict for v in suzgun2023.accuracies(printed)} == {forensics.AGREES}
    codex = [v for v in suzgun2023.cells(printed) if v.claim.startswith("Codex")]
    assert len(codex) == 46
    assert {v.verdict for v in codex} == {forensics.AGREES}


def test_what_is_disputed_is_the_table():
    found = [v for v in big_bench_hard.audit() if v.verdict == forensics.CONTRADICTED]
    rows = made("bbh_disputed")
    assert sorted(v.claim for v in found) == sorted(rows["Claim"])
    assert not [v for v in big_bench_hard.audit() if v.verdict == forensics.IMPOSSIBLE]


@pytest.mark.parametrize(
    ("item", "label", "row", "column", "printed", "check", "claimed"),
    [
        ("eval_metrics", "task", "navigate", "direct", "50.8", "accuracies", "direct on navigate"),
        ("table3", "task", "Snarks", "Codex CoT", "59.7", "cells", "Codex CoT on Snarks"),
        ("table3", "task", "All Tasks (avg)", "Codex CoT", "73.8", "means",
         "Codex CoT, All Tasks (avg)"),
        ("table3", "task", "Snarks", "PaLM CoT", "81.8", "means", "PaLM CoT, NLP Task (avg)"),
        ("table2", "row", "Codex CoT", "gain NLP", "7.4", "gains", "gain of Codex CoT, NLP"),
        ("table2", "row", "InstructGPT answer-only", "above human average", "5/23", "above_people",
         "InstructGPT answer-only above human average"),
        ("text", "quantity", "examples", "printed", "6,512", "sizes", "examples"),
        ("text", "quantity", "gain on Navigate", "printed", "46.1", "gains", "gain on Navigate"),
        ("named", "names", "Causal Judgement; Ruin Names; Snarks", "names", "Snarks", "named",
         "tasks on which a chain of thought is behind for all three models"),
    ],
)  # fmt: skip
def test_another_printed_number_gets_another_verdict(
    monkeypatch, item, label, row, column, printed, check, claimed
):
    judge = getattr(suzgun2023, check)
    before = {v.claim: v.verdict for v in judge(suzgun2023.read_paper())}
    read = suzgun2023.read_published

    def altered(paper, name):
        table = read(paper, name)
        if name == item:
            assert (table[label] == row).sum() == 1
            table.loc[table[label] == row, column] = printed
        return table

    monkeypatch.setattr(suzgun2023, "read_published", altered)
    after = {v.claim: v.verdict for v in judge(suzgun2023.read_paper())}
    assert before[claimed] == forensics.AGREES
    assert after[claimed] == forensics.CONTRADICTED


def test_tables_on_a_comparison_of_which_the_answer_is_known():
    study = rep.read_study("config/leaderboards.yaml", host=host())
    (result,) = study.section("big_bench_hard").ask()
    table = result.evaluated.assign(p_value=1.0, p_reverse=1e-9)
    found = tuple(findings.find(result.comparison, table, alpha) for alpha in study.alphas)
    result = replace(result, evaluated=table, findings=found)
    assert big_bench_hard.by_method(result)["at least"].tolist() == [0, 0, 0]
    assert big_bench_hard.back(result)["at least"].tolist() == [27] * 6
    shown = big_bench_hard.printed_and_shown(result)
    assert shown["shown on at least"].tolist() == [0, 0, 0]
    assert shown["tasks"].tolist() == [15, 12, 27]
    assert len(big_bench_hard.unfinished(1000)) == 0
