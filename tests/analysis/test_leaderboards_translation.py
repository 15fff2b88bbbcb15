"""WMT24: what a reader would quote, by a second route from raw files; and the audit."""

import types
from collections import Counter
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
import sacrebleu
from scipy import stats

import replicability as rep
from analysis import paths, workflow
from analysis.leaderboards import kocmi2024, translation
from analysis.studies import read_study
from replicability import forensics
from replicability.core import all_pairs, evaluation

PAIRS = {entry["dataset"]: entry["pair"] for entry in workflow.outcome_choices()["translation"]}
TASK = "wmt-conference/wmt24-news-systems/bfa937ee53586aa173d68657b89b8642693f7b66"


def made(name):
    file = paths.ROOT / "tables" / "leaderboards" / f"wmt24_{name}.csv"
    return pd.read_csv(file, keep_default_na=False)


def outcomes(level):
    return pd.read_parquet(paths.ROOT / "data" / "outcomes" / f"translation_{level}.parquet")


@pytest.fixture(scope="module")
def comparisons():
    found = read_study("config/leaderboards.yaml").section("translation")
    return {comparison.name: comparison for comparison in found}


@pytest.fixture(scope="module")
def raw(mirror):
    """Return a function that reads the lines of a raw file without the canary."""
    folder = mirror("wmt24-news-systems") / TASK

    def lines(path):
        content = (folder / path).read_bytes().decode("utf-8")
        return content.removesuffix("\n").split("\n")[1:]

    lines.folder = folder
    return lines


# --- from raw files ------------------------------------------------------------------------------


def test_nine_pairs_have_the_same_source_and_documents(raw):
    sources = Counter(tuple(raw(f"txt/sources/{pair}.txt")) for pair in PAIRS.values())
    documents = Counter(tuple(raw(f"txt/documents/{pair}.docs")) for pair in PAIRS.values())
    assert sorted(sources.values()) == sorted(documents.values()) == [1, 1, 9]
    for dataset, part in outcomes("segments").groupby("dataset"):
        expected = [line.split("\t") for line in raw(f"txt/documents/{PAIRS[dataset]}.docs")]
        assert part[["domain", "document"]].to_numpy().tolist() == expected


def test_the_systems_are_those_with_outputs_everywhere(raw):
    folders = [raw.folder / "txt" / "system-outputs" / pair for pair in PAIRS.values()]
    found = [{path.stem for path in folder.iterdir()} for folder in folders]
    assert len(set.union(*found)) == 41
    scored = set(made("systems")["system"])
    assert scored == set.intersection(*found)
    assert not any(raw(f"txt/system-outputs/en-hi/{s}.txt") == [""] * 997 for s in scored)
    assert raw("txt/system-outputs/en-hi/ONLINE-empty.txt") == [""] * 997


@pytest.mark.parametrize("dataset", ["English → Russian", "Japanese → Chinese"])
def test_scores_are_sacrebleus_command_by_command(raw, dataset):
    pair, system = PAIRS[dataset], "Claude-3.5"
    gold = raw(f"txt/references/{pair}.refA.txt")
    lines = raw(f"txt/system-outputs/{pair}/{system}.txt")
    part = outcomes("segments").query("dataset == @dataset")
    tokenize = "zh" if pair.endswith("zh") else "13a"
    for place in range(0, len(gold), 97):
        two = lines[place], [gold[place]]
        assert part[system].iloc[place] == round(100 * sacrebleu.sentence_chrf(*two).score)
        bleu = sacrebleu.sentence_bleu(*two, tokenize=tokenize).score
        assert part[f"BLEU {system}"].iloc[place] == round(100 * bleu)
    corpus = outcomes("corpora").set_index(["dataset", "system"]).loc[(dataset, system)]
    assert corpus["chrf"] == sacrebleu.corpus_chrf(lines, [gold]).score
    bleu = sacrebleu.corpus_bleu(lines, [gold], tokenize=tokenize, force=True)
    assert corpus["bleu"] == pytest.approx(bleu.score, abs=1e-12)


@pytest.mark.long
def test_the_named_pair_from_raw_texts_by_drawn_flips(raw):
    rng = np.random.default_rng(24)
    shown = made("pair").set_index("language pair")
    for dataset, pair in PAIRS.items():
        gold = raw(f"txt/references/{pair}.refA.txt")
        documents = raw(f"txt/documents/{pair}.docs")
        scores = [
            [sacrebleu.sentence_chrf(o, [g]).score for o, g in zip(lines, gold, strict=True)]
            for lines in (
                raw(f"txt/system-outputs/{pair}/{system}.txt")
                for system in ("Claude-3.5", "Unbabel-Tower70B")
            )
        ]
        differences = np.subtract(*scores)
        sums = pd.Series(differences).groupby(documents).sum().to_numpy()
        signs = rng.choice([-1.0, 1.0], (40_000, len(sums)))
        p = (signs @ sums >= sums.sum()).mean()
        assert shown.loc[dataset, "difference"].startswith(f"{differences.mean():.1f} ")
        printed = float(shown.loc[dataset, "p"])
        assert abs(p - printed) < 5 * np.sqrt(printed / len(signs)) + 1e-4


def test_the_automatic_ranking_is_as_it_stands_in_the_report(raw):
    report = (raw.folder / "report" / "generated_report.tex").read_text(encoding="utf-8")
    printed = pd.read_csv(paths.PUBLISHED / "kocmi2024" / "autorank.csv", dtype=str)
    for row in printed.itertuples():
        cells = f" & {row.autorank} & {row.metricx} & {row.cometkiwi} & "
        assert any(row.system in line and cells in line for line in report.splitlines()), (
            row.dataset,
            row.system,
        )
    full = [b for b in report.split("\\begin{tabular}") if "AutoRank" in b][1::2]
    assert [block.count(" & ") - 4 for block in full] == [
        4 * n for n in printed.groupby("dataset", sort=False).size()
    ]


def test_the_workbook_gives_the_ranks_on_the_longer_scale(raw):
    sheets = pd.read_excel(
        raw.folder / "humeval" / "AutoRank.xlsx", sheet_name=None, index_col=0, engine="calamine"
    )
    for sheet in sheets.values():
        n = len(sheet) + 1
        scaled = [
            1 + (n - 1) * (x - x.min()) / (x.max() - x.min())
            for x in (sheet["metricx"], sheet["cometkiwi"])
        ]
        np.testing.assert_allclose(np.mean(scaled, axis=0), sheet["AutoRank"], rtol=1e-9)


# --- from what is committed ----------------------------------------------------------------------


def test_scores_follow_from_the_committed_outcomes():
    segments, shown = outcomes("segments"), made("systems").set_index("system")
    means = segments.drop(columns=["document", "domain"]).groupby("dataset").mean() / 100
    np.testing.assert_allclose(means[shown.index].mean(), shown["chrF"], atol=0.051)
    first = means[shown.index].idxmax(axis=1).value_counts()
    assert first.to_dict() == {s: n for s, n in shown["first by chrF"].items() if n}
    assert shown["chrF"].is_monotonic_decreasing
    corpora = outcomes("corpora").groupby("system")["chrf"].mean()
    ahead = corpora["ONLINE-B"] > corpora["Claude-3.5"] and corpora["ONLINE-A"] > corpora["GPT-4"]
    assert ahead
    ranked = shown["AutoRank"].rank(method="first")
    assert list(shown.index).index("Unbabel-Tower70B") == 5
    assert (list(shown.index).index("ONLINE-A"), ranked["ONLINE-A"]) == (3, 10)


def test_documents_share_nothing_across_sources():
    documents = outcomes("documents")
    languages = documents["dataset"].str.partition(" → ")[0]
    groups = [set(part) for _, part in documents["document"].groupby(languages)]
    assert len(set.union(*groups)) == sum(map(len, groups))
    pairs = documents[languages == "English"].groupby("document")["dataset"].nunique()
    assert (pairs == 9).all()


def test_people_put_the_first_system_first_most_often():
    human = kocmi2024.read_human_ranking()
    first = human.loc[human["rank"].str.startswith("1-"), "system"].value_counts()
    assert first.index[0] == "Claude-3.5"
    assert first.iloc[0] > first.iloc[1]


def test_the_second_pair_is_the_best_of_its_kinds():
    shown = made("systems").set_index("system")["AutoRank"]
    rest = shown.drop(["Claude-3.5", "Unbabel-Tower70B"])
    assert rest.idxmin() == "GPT-4"
    assert rest.filter(like="ONLINE").idxmin() == "ONLINE-B"


def test_the_design_effect_is_that_of_sums_by_document(comparisons):
    segments = outcomes("segments").query("dataset == 'English → Japanese'")
    a, b = comparisons["claude_tower"].systems
    d = (segments[a] - segments[b]) / 100
    parts = d.groupby(segments["document"]).agg(["sum", "size"])
    left = (d.sum() - parts["sum"]) / (len(d) - parts["size"])  # the jackknife
    by_documents = (len(left) - 1) / len(left) * ((left - left.mean()) ** 2).sum()
    effect = by_documents / (d.var() / len(d))
    shown = made("segments").set_index(["comparison", "language pair"])["design effect"]
    ours = shown["Claude-3.5 vs Unbabel-Tower70B", "English → Japanese"]
    assert ours == pytest.approx(effect, abs=0.006)


def test_counts_of_the_named_pair_by_holm_and_fisher(comparisons):
    table = evaluation.evaluate(comparisons["claude_tower"])
    ordered = np.sort(table["p_value"])
    fisher = [stats.combine_pvalues(np.maximum(ordered[u:], 1e-300)).pvalue for u in range(11)]
    bonferroni = [(11 - u) * p for u, p in enumerate(ordered)]
    shown = made("counts").query("alpha == 0.05").iloc[0]
    for k, pvalues in (("k_fisher", fisher), ("k_bonferroni", bonferroni)):
        assert shown[k] == next((u for u, p in enumerate(pvalues) if p > 0.05), 11)


def test_a_correlation_around_the_mean_by_hand():
    segments = outcomes("segments")
    d = (segments["Claude-3.5"] - segments["Unbabel-Tower70B"]).rename("d")
    table = pd.concat([segments[["dataset", "document"]], d], axis=1)
    table["d"] -= table.groupby("dataset")["d"].transform("mean")
    sums = table[table["dataset"].str.startswith("English")].pivot_table(
        "d", "document", "dataset", aggfunc="sum"
    )
    unit = sums / np.sqrt((sums**2).sum())
    correlations = (unit.T @ unit).to_numpy()[np.triu_indices(9, 1)]
    family = next(
        f for f in read_study("config/leaderboards.yaml").families if f.name == "translators"
    )
    two = replace(
        family,
        columns=family.columns | {"scores": ["Claude-3.5", "Unbabel-Tower70B", "GPT-4"]},
        options={"n_resamples": 9},
        n_flips=600,
    )
    compared = rep.Family(two, all_pairs.compare(two), 0.05)
    found = translation.correlations(compared).set_index(["A", "B"])["around the mean"]
    assert found["Claude-3.5", "Unbabel-Tower70B"] == pytest.approx(correlations.mean(), abs=0.005)


# --- the audit -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def verdicts():
    return kocmi2024.audit()


def test_every_printed_number_is_judged_once(verdicts):
    printed = pd.read_csv(paths.PUBLISHED / "kocmi2024" / "autorank.csv", dtype=str)
    items = Counter(verdict.item for verdict in verdicts)
    assert items[kocmi2024.RANKING] == len(printed)
    assert len({(v.item, v.claim) for v in verdicts}) == len(verdicts)
    contradicted = [v for v in verdicts if v.verdict == forensics.CONTRADICTED]
    assert all("a scale from 1 to" in verdict.sentence for verdict in contradicted)
    assert {v.item for v in contradicted} == {kocmi2024.RANKING}
    weak = [float(verdict.published) for verdict in contradicted]
    others = printed["autorank"].astype(float)
    assert np.median(weak) > others.quantile(0.75)
    assert np.mean(np.array(weak) > others.median()) > 0.5


def test_a_changed_rank_is_contradicted_without_another_reading():
    printed = pd.read_csv(paths.PUBLISHED / "kocmi2024" / "autorank.csv", dtype=str)
    row = printed.query("system == 'Aya23'").index[0]
    printed.loc[row, "autorank"] = "9.9"
    (verdict,) = [v for v in kocmi2024.autoranks(printed) if v.published == "9.9"][:1]
    assert verdict.verdict == forensics.CONTRADICTED
    assert "a scale from" not in verdict.sentence


def test_a_rank_is_scaled_by_hand():
    rows = pd.DataFrame(
        {
            "dataset": "x",
            "system": ["a", "b", "c"],
            "metricx": ["1.0", "2.0", "3.0"],
            "cometkiwi": ["0.900", "0.700", "0.500"],
            "autorank": ["1.0", "2.0", "4.0"],
        }
    )
    found = kocmi2024.autoranks(rows)
    assert [v.verdict for v in found] == [
        forensics.AGREES,
        forensics.AGREES,
        forensics.CONTRADICTED,
    ]
    assert found[2].sentence.endswith("a scale from 1 to 4, which gives 4.")


def test_a_count_needs_independence_if_no_valid_method_reaches_it():
    by_flips, anyhow, independent = (pd.DataFrame([[0, k], [0, 0]]) for k in (2, 3, 3))
    other = pd.DataFrame([[0, 4], [1, 0]])
    for fisher, more, needs in ((independent, 1, 0), (other, 2, 2)):
        pairs = types.SimpleNamespace(
            n_pairs=2,
            joint_counts=lambda alpha: {0.05: by_flips}[alpha],
            k_hat=lambda alpha, method, f=fisher: {0.025: f if method == "fisher" else anyhow}[
                alpha
            ],
        )
        table = translation.of_all_pairs(pairs, 0.05).set_index("method")
        assert table["more"].to_dict() == {"joint flips": 0, "Bonferroni": 1, "Fisher": more}
        assert table["more than either"].tolist() == [0, 0, needs]
