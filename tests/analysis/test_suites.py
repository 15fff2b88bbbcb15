"""Suites that people use, and the open study's own."""

import collections
import json
import zipfile

import numpy as np
import pandas as pd
import pytest

from analysis import fields, paths, suites
from replicability.core import design

BBH = "suzgunmirac/BIG-Bench-Hard/9ee07bd481feebf959a6b59d61ea57bdcf30964d"
PRO = "TIGER-AI-Lab/MMLU-Pro/f418b116db00b065c2aea046518d8fcf74d39872"
BFCL = "HuanzhiMao/BFCL-Result/b4adfc9be5e0c65e8dbb1340c689688eb92a9379"


@pytest.fixture
def listed():
    """Return suite -> dataset -> items, as ``data/suite_sizes.csv`` has them."""
    rows = pd.read_csv(paths.ROOT / "data" / "suite_sizes.csv")
    assert not rows.duplicated(["suite", "dataset"]).any()
    return {
        name: own.set_index("dataset")["items"].to_dict() for name, own in rows.groupby("suite")
    }


def test_suites_have_the_sizes_of_the_list():
    used = suites.read_suites(0.2, 0.05)
    assert [len(planned.sizes) for planned in used.values()] == [57, 27, 14, 12]
    uneven = used["12 categories (uneven)"].sizes
    assert (min(uneven), max(uneven)) == (40, 400)
    assert all(planned.method == "discrete" for planned in used.values())


def test_round_sizes_are_those_of_the_suites_as_distributed(listed):
    used, real = suites.read_suites(0.2, 0.05), suites.read_distributed(0.2, 0.05)
    assert [len(planned.sizes) for planned in real.values()] == [57, 27, 14, 12]
    mmlu, bbh, pro, bfcl = (np.array(planned.sizes) for planned in real.values())
    assert [name.split(",")[0] for name in real] == ["MMLU", "BBH", "MMLU-Pro", "BFCL"]
    assert set(used["57 subjects (MMLU)"].sizes) == {round(mmlu.mean())}
    assert set(used["27 tasks (BBH)"].sizes) == {np.median(bbh)}
    assert (bbh != np.median(bbh)).sum() == 3
    assert set(used["14 disciplines (MMLU-Pro)"].sizes) == {800}
    assert 800 < pro.mean() < 860
    assert (bfcl.min(), bfcl.max()) == (40, 400)
    totals = [sum(own.values()) for own in map(listed.get, ("MMLU", "BBH", "MMLU-Pro", "BFCL"))]
    assert totals == [14_042, 6_511, 12_032, 1_700]
    said = fields.plain((paths.ROOT / "data" / "README.md").read_text(encoding="utf-8"))
    for total, planned in zip(totals, real.values(), strict=True):
        assert f"| {len(planned.sizes)} | {total:,} |" in said


def test_sizes_are_those_of_the_outputs(listed, mirror):
    root = mirror("BIG-Bench-Hard", "MMLU-Pro", "BFCL-Result")
    answers = root / BBH / "code-davinci-002-outputs" / "code-davinci-002-direct"
    tail = "_few_shot_template_0-255000.json"
    assert listed["BBH"] == {
        path.name.removesuffix(tail): len(json.loads(path.read_text(encoding="utf-8"))["outputs"])
        for path in answers.glob(f"*{tail}")
    }
    with zipfile.ZipFile(
        root / PRO / "eval_results/model_outputs_Meta-Llama-3-70B_5shots.zip"
    ) as z:
        (member,) = z.namelist()
        counted = collections.Counter(row["category"] for row in json.loads(z.read(member)))
    assert listed["MMLU-Pro"] == dict(counted)
    totals = collections.defaultdict(set)
    for path in (root / BFCL / "2024-08-11" / "score").glob("*/*_score.json"):
        head, _, _ = path.read_text(encoding="utf-8").partition("\n")
        totals[path.name.removesuffix("_score.json")].add(json.loads(head)["total_count"])
    assert {name: {items} for name, items in listed["BFCL"].items()} == dict(totals)


def test_a_pilot_has_the_spread_and_the_method_of_its_comparison():
    (planned,) = suites.read_pilots("config/open.yaml", ["aesclsr_msda_reviews"], 0.05).values()
    assert (planned.binary, planned.method, len(planned.sizes)) == (True, "bonferroni", 12)
    assert set(planned.sizes) == {2000}


def test_gains_that_are_not_possible_are_left_out():
    named = {"some": design.suite([100] * 3, discordant=0.04)}
    assert suites.expected(named, [0.01, 0.05])["gain"].tolist() == ["1 point"]


def test_tables_have_the_reference_numbers():
    planned = design.suite([500] * 20, discordant=0.15, method="fisher", alternative="greater")
    twenty = {"twenty": planned}
    row = suites.expected(twenty, [0.03]).iloc[0]
    assert (row["count"], row["k_bonferroni"]) == (9.8, 2.5)
    assert row["k̂"] == pytest.approx(11.7, abs=0.15)
    grid = suites.by_size(suites.sizes(twenty, [0.03]))
    assert grid["instances"].tolist() == ["250", "500", "1,000", "2,000"]


def test_the_sentences_name_every_suite():
    twenty = {"twenty": design.suite([500] * 20, discordant=0.15)}
    assert suites.sentences(twenty, 0.03).startswith("twenty: With 20 datasets of 500 items")
