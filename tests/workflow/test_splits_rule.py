"""Random splits: the rule from end to end."""

import itertools
import re
import sys

import numpy as np
import pandas as pd
import pytest
import yaml
from checkouts import copy, snakemake
from corpora import corpus

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import split_corpus

pytestmark = pytest.mark.long

SHARES = (0.8, 0.1, 0.1)

FREQUENT = """\
import sys
from collections import Counter

train, test, output = sys.argv[1:]
words = [line.split("\\t") for line in open(train, encoding="utf-8") if "\\t" in line]
column = 3 if len(words[0]) == 10 else 1
common = Counter(cells[column].strip() for cells in words).most_common(1)[0][0]
with open(output, "w", encoding="utf-8") as file:
    for line in open(test, encoding="utf-8"):
        cells = line.rstrip("\\n").split("\\t")
        if len(cells) > 1:
            cells[column] = common
        file.write("\\t".join(cells) + "\\n")
"""


PIPE = r"cat {test} | sed -e 's/_$/A/' -e 's/\t_\t_\t/\t_\tNOUN\t/' > {output}"


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """Return a checkout in which two taggers have run on two corpora of its own."""
    checkout = copy(tmp_path_factory.mktemp("splits"))
    (checkout / "frequent.py").write_text(FREQUENT, encoding="utf-8")
    (checkout / "small.tsv").write_text(corpus(40, documents=10), encoding="utf-8")
    sentence = "# sent_id = {0}\n1\tw{0}\t_\t{1}\t_\t_\t0\troot\t_\t_\n\n"
    treebank = "".join(sentence.format(i, "NOUN" if i % 3 else "VERB") for i in range(20))
    (checkout / "small.conllu").write_text(treebank, encoding="utf-8")
    settings = {
        "seed": 7,
        "splits": 1,
        "shares": {"train": 0.8, "dev": 0.1, "test": 0.1},
        "corpora": [
            {"name": "two", "files": ["small.tsv"]},
            {"name": "UD", "files": ["small.conllu"], "finite": ["VERB", "AUX|Fin"]},
        ],
        "taggers": [
            {"name": "frequent", "command": "{python} frequent.py {train} {test} {output}"},
            {
                "name": "pipe",
                "command": PIPE,
            },
        ],
    }
    (checkout / "config" / "tiny.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    found = snakemake(checkout, "random_splits", "--config", "splits=config/tiny.yaml")
    assert found.returncode == 0, found.stderr
    return checkout


def test_the_rule_makes_three_tables(finished):
    folder = finished / "results" / "splits" / "tiny"
    table = pd.read_parquet(folder / "splits.parquet")
    assert table.columns.tolist() == [
        *("dataset", "split", "instance", "unknown", "words", "frequent", "pipe")
    ]
    assert table["split"].dtype == np.uint8
    assert table["dataset"].unique().tolist() == ["two", "UD"]
    sizes = pd.read_csv(folder / "splits_sizes.csv")
    assert sizes.columns.tolist() == ["dataset", "split", "part", "sentences", "tokens"]
    tests = sizes[sizes["part"] == "test"]
    counted = table.groupby(["dataset", "split"], sort=False)
    assert counted["words"].sum().tolist() == tests["tokens"].tolist() == [8, 8, 2, 2]
    assert counted["instance"].nunique().tolist() == tests["sentences"].tolist() == [4, 4, 2, 2]
    tags = pd.read_parquet(folder / "splits_tags.parquet")
    assert tags.columns.tolist() == [
        *("dataset", "instance", "position", "words", "word", "gold", "finite"),
        *("frequent", "pipe"),
    ]
    assert tags["word"].isna().all()


def test_the_random_split_is_that_of_its_seed(finished):
    seed = np.random.SeedSequence(7).spawn(2)[1].generate_state(1)[0]
    part = split_corpus.random_split(20, SHARES, int(seed))
    table = pd.read_parquet(finished / "results" / "splits" / "tiny" / "splits.parquet")
    chosen = table[(table["dataset"] == "UD") & (table["split"] == 1)]
    assert chosen["instance"].tolist() == np.flatnonzero(part == 2).astype(str).tolist()


def test_a_finished_run_has_nothing_to_do_and_a_stopped_one_does_the_rest(finished):
    arguments = ["--dry-run", "random_splits", "--config", "splits=config/tiny.yaml"]
    found = snakemake(finished, *arguments)
    assert "Nothing to be done" in found.stdout + found.stderr
    for file in ("two/1/pipe.tagged", "two/1/outcomes.parquet", "splits.parquet"):
        (finished / "results" / "splits" / "tiny" / file).unlink()
    found = snakemake(finished, *arguments)
    text = found.stdout + found.stderr
    assert re.search(r"^tag_split +1$", text, re.MULTILINE)
    assert not re.search(r"^split_corpus ", text, re.MULTILINE)


CRASHES = """\
import os, signal, sys

train, test, output = sys.argv[1:]
if "two/1/exits" in output:
    sys.exit("out of luck")
if "UD/0/dies" in output:
    os.kill(os.getpid(), signal.SIGKILL)
open(output, "w", encoding="utf-8").write(open(test, encoding="utf-8").read().replace("_", "NOUN"))
"""


def test_a_tagger_that_crashes_on_one_split_leaves_the_others(finished):
    (finished / "crashes.py").write_text(CRASHES, encoding="utf-8")
    settings = yaml.safe_load((finished / "config" / "tiny.yaml").read_text(encoding="utf-8"))
    command = "{python} crashes.py {train} {test} {output} && printf '%d%% done' 100"
    settings["taggers"] = [{"name": name, "command": command} for name in ("exits", "dies")]
    (finished / "config" / "bad.yaml").write_text(yaml.safe_dump(settings), encoding="utf-8")
    arguments = ["random_splits", "--keep-going", "--config", "splits=config/bad.yaml"]
    found = snakemake(finished, *arguments)
    assert found.returncode != 0

    folder = finished / "results" / "splits" / "bad"
    made = {str(path.relative_to(folder)) for path in folder.glob("*/*/*.tagged")}
    parts = itertools.product(("two", "UD"), (0, 1), ("exits", "dies"))
    every = {f"{corpus}/{split}/{name}.tagged" for corpus, split, name in parts}
    assert every - made == {"two/1/exits.tagged", "UD/0/dies.tagged"}
    assert {path.parent.name for path in folder.glob("two/*/outcomes.parquet")} == {"0"}
    for name, dataset, split, status in (("exits", "two", 1, 1), ("dies", "UD", 0, 137)):
        place = f"results/splits/bad/{dataset}/{split}"
        said = (
            f"{dataset}, split {split}: the tagger {name} failed with exit status {status}; "
            f"its command is {sys.executable} crashes.py {place}/train.conll {place}/test.conll "
            f"{place}/{name}.tagged && printf '%d%% done' 100"
        )
        log = folder / "logs" / f"{dataset}_{split}_{name}.log"
        assert log.read_text(encoding="utf-8").splitlines()[-1] == said
        assert said in found.stdout
