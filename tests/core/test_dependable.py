"""What is said of the sample of DependAble, by a second route from the raw files."""

import math
import re
from collections import Counter, defaultdict

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from analysis import paths
from analysis.studies import read_study
from replicability.core import all_pairs, evaluation, recommendation

STUDY = read_study("config/open.yaml")
NAMES = {"ltdt": "LTDP"}
SPOKEN = {False: "Chinese broadcast", True: "Reliable Sources"}


def test_the_sizes_that_the_study_gives_as_its_reasons():
    made = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "dependable.parquet")
    heads = made[(made["system"] == "Mate") & made["dataset"].str.contains("UAS")]
    said = " ".join((paths.CONFIG / "open.yaml").read_text(encoding="utf-8").split("#"))
    said = re.sub(r"\s+", " ", said)
    fewest, longest = recommendation.few_instances(0.05 / 2), (heads["words"] > 50).sum()
    assert f"exceed the {fewest} sentences from which we recommend the bootstrap" in said
    assert f"the longest class has {longest} sentences" in said
    assert heads.groupby("dataset").size().min() > fewest


@pytest.fixture(scope="module")
def trees(mirror):
    """Return for each file its sentences, lists of (form, head, relation)."""
    (folder,) = (mirror("dependable") / "emorynlp" / "dependable").glob("*/dat")
    found = {}
    for file in folder.iterdir():
        blocks = re.split(r"\n\s*\n", file.read_text(encoding="utf-8").strip("\n"))
        rows = [[line.split("\t") for line in block.split("\n")] for block in blocks]
        found[file.name] = [[(r[1], r[6], r[7].strip()) for r in block] for block in rows]
    return found


@pytest.fixture(scope="module")
def right(trees):
    """Return for each parser, score and programme the words and right words of its sentences."""
    found = defaultdict(list)
    for name, sentences in trees.items():
        for gold, parsed in zip(trees["gold"], sentences, strict=True):
            programme = SPOKEN[any(form[0] == "/" and len(form) == 2 for form, _, _ in gold)]
            for score, stop in (("UAS", 2), ("LAS", 3)):
                same = sum(g[1:stop] == p[1:stop] for g, p in zip(gold, parsed, strict=True))
                found[name, f"{programme} ({score})"].append((len(gold), same))
    return {key: np.array(rows) for key, rows in found.items()}


def test_every_total_of_the_outcomes(right):
    made = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "dependable.parquet")
    totals = made.groupby(["system", "dataset"])[["words", "right"]].sum()
    totals.index = [(system.casefold(), dataset) for system, dataset in totals.index]
    compared = 0
    for (name, dataset), rows in right.items():
        if name == "gold" or (name == "ltdt" and "LAS" in dataset):
            continue
        system = NAMES.get(name, name).casefold()
        assert totals.loc[[(system, dataset)]].to_numpy().tolist() == [rows.sum(axis=0).tolist()]
        compared += 1
    assert compared == 9 * 2 + 8 * 2


def bootstrap(a, b, seed):
    """Return the p-value of A better by drawing resamples, and how much it may be off."""
    rng, n, draws = np.random.default_rng(seed), len(a), 20_000
    d, words = (a[:, 1] - b[:, 1]).astype(float), a[:, 0].astype(float)
    times = rng.multinomial(n, np.full(n, 1 / n), size=draws).astype(float)
    drawn = (times @ d) / (times @ words)
    pvalue = (np.count_nonzero(drawn >= 2 * d.sum() / words.sum()) + 1) / (draws + 1)
    return pvalue, 5 * math.sqrt(pvalue / draws)


@pytest.mark.parametrize("name", ["mate_spacy_sample", "mate_redshift_sample"])
def test_pvalues_of_the_named_comparisons(right, name):
    (comparison,) = [c for c in STUDY.comparisons if c.name == name]
    b = comparison.systems[1].casefold()
    table = evaluation.evaluate(comparison).rows.set_index("dataset")
    for dataset, row in table.iterrows():
        drawn, off = bootstrap(right["mate", dataset], right[b, dataset], 7)
        assert row["p_value"] == pytest.approx(drawn, abs=max(off, 3e-4))


def test_counts_of_all_pairs_by_heads(right):
    (family,) = [f for f in STUDY.families if f.name == "own_parsers"]
    compared = all_pairs.compare(family)
    names = {NAMES.get(n, n).casefold(): n for n, _ in right}
    for alpha in (0.05, 0.05 / compared.n_pairs):
        counted = compared.counts(alpha)
        for a in compared.systems:
            for b in set(compared.systems) - {a}:
                p = sorted(compared.pvalues[compared.systems.index(a), compared.systems.index(b)])
                both = stats.chi2.sf(-2 * np.log(p).sum(), 4)
                assert counted.loc[a, b] == (both <= alpha) * (1 + (p[1] <= alpha))
                assert {a.casefold(), b.casefold()} <= set(names)
    for place, dataset in enumerate(compared.datasets):
        for j, b in enumerate(compared.systems):
            sides = (right[names[s.casefold()], dataset] for s in ("mate", b))
            drawn, off = bootstrap(*sides, j)
            shown = compared.pvalues[compared.systems.index("Mate"), j, place]
            assert shown == pytest.approx(drawn, abs=max(off, 3e-4))


def test_joint_flips_of_heads_and_relations(right):
    (family,) = [f for f in STUDY.families if f.name == "own_parsers_labelled"]
    compared = all_pairs.compare(family)
    rng = np.random.default_rng(11)
    for a, b in (("Mate", "Redshift"), ("Turbo", "Yara"), ("SpaCy", "GN13")):
        flips = compared.flips.of(compared.systems.index(a), compared.systems.index(b))
        for i, j in ((0, 2), (1, 3)):
            columns = []
            for k in (i, j):
                one, other = (right[s.casefold(), compared.datasets[k]] for s in (a, b))
                columns.append((one - other)[:, 1])
            signs = rng.choice([-1, 1], size=(20_000, len(columns[0])))
            expected = np.corrcoef((signs @ np.array(columns, float).T).T)[0, 1]
            assert flips.correlations[i, j] == pytest.approx(expected, abs=0.02)


def test_the_file_of_ltdp_has_words_in_the_order_of_the_gold_tree(trees):
    torn, matched = [], 0
    for gold, parsed in zip(trees["gold"], trees["ltdt"], strict=True):
        heads = [int(head) for _, head, _ in gold]

        def walk(i, heads=heads):
            kids = [k for k, head in enumerate(heads, 1) if head == i]
            before = [w for k in kids if k < i for w in walk(k)]
            return before + [i] * (i > 0) + [w for k in kids if k > i for w in walk(k)]

        order = walk(0)
        forms = [gold[i - 1][0].replace("/", "~") for i in order]
        assert forms == [form.replace("/", "~") for form, _, _ in parsed]
        torn.append(order != sorted(order))
        place = dict(enumerate(order, 1)) | {0: 0}
        heads_of = {i: place[int(h)] for i, (_, h, _) in zip(order, parsed, strict=True)}
        matched += sum(heads_of[i] == head for i, head in enumerate(heads, 1))
    made = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "dependable.parquet")
    rows = made[made["system"] == "LTDP, words matched"]
    assert (sum(torn), matched) == (15, rows["right"].sum())


def test_symbols_are_counted_and_could_be_left_out(trees):
    symbols = Counter()
    for gold, parsed in zip(trees["gold"], trees["mate"], strict=True):
        for (form, head, _), (_, other, _) in zip(gold, parsed, strict=True):
            if not re.search(r"[^!-/:-@\[-`{-~]", form):
                symbols[head == other] += 1
    made = pd.read_parquet(paths.ROOT / "data" / "outcomes" / "dependable.parquet")
    rows = made[(made["system"] == "Mate") & made["dataset"].str.contains("UAS")]
    assert rows["symbols"].sum() == sum(symbols.values())
    assert rows["symbols_right"].sum() == symbols[True]


def test_the_rule_has_all_parsers():
    listed = pd.read_csv(paths.ROOT / "data" / "sources.csv").query("source == 'dependable'")
    files = {path.rpartition("/")[2] for path in listed["path"]} - {"gold"}
    family = yaml.safe_load((paths.CONFIG / "open.yaml").read_text(encoding="utf-8"))["families"]
    (own,) = [f for f in family if f["name"] == "own_parsers"]
    assert {NAMES.get(f, f).casefold() for f in files} == {s.casefold() for s in own["systems"]}
