"""The commands that score named entities and list known words, and what they made."""

import re
import sys
import zipfile

import pandas as pd
import pytest

from analysis import paths, sources
from analysis.sogaard2014 import free_choice
from replicability.stats import metrics

sys.path.insert(0, str(paths.ROOT / "scripts"))
import score_spans
import vocabulary

GOLD = "I-PER\nI-PER\nO\n\nI-LOC\nB-LOC\n\n"
SYSTEM = "I-PER\nI-PER\nI-MISC\n\nI-ORG\nI-LOC\n"


@pytest.fixture
def run(write, tmp_path):
    """Return a function that runs the command on files and returns its status."""

    def call(gold, *systems):
        arguments = ["--gold", str(write("gold", gold)), "--output", str(tmp_path / "o.parquet")]
        for name, text in zip("ab", systems, strict=False):
            arguments += ["--system", f"{name}={write(name, text)}"]
        return score_spans.main(arguments)

    return call


def test_spans_of_each_type_are_counted(run, tmp_path):
    assert run(GOLD, SYSTEM, GOLD) == 0
    made = pd.read_parquet(tmp_path / "o.parquet")
    assert list(made.columns) == ["instance", "system", *score_spans.COLUMNS]
    assert (made.dtypes.iloc[2:] == "uint16").all()
    assert made["instance"].tolist() == ["1", "2"] * 2
    assert made["system"].tolist() == ["a", "a", "b", "b"]
    assert made["words"].tolist() == [3, 2] * 2
    first = made.set_index(["system", "instance"])
    assert first.loc[("a", "1"), ["per_correct", "per_guessed", "per_gold"]].tolist() == [1, 1, 1]
    assert first.loc[("a", "1"), ["misc_correct", "misc_guessed", "misc_gold"]].tolist() == [
        0,
        1,
        0,
    ]
    assert first.loc[("a", "2"), ["loc_correct", "loc_guessed", "loc_gold"]].tolist() == [1, 1, 2]
    assert first["untyped"].tolist() == [1, 2, 1, 2]  # I-ORG for I-LOC counts


@pytest.mark.parametrize(
    ("gold", "system", "message"),
    [
        (GOLD, "O\n\nO\nO\n", "Sentence 1 has 1 tags in .*, but 3 in .*; pass tags of the same te"),
        (GOLD, "O\nO\nO\n", "a has 1 sentences, but .*gold has 2; pass tags of the same text"),
        (GOLD, "O O\nO\nO\n\nO\nO\n", "line 1 is 'O O'; each line must be one tag or blank"),
        (GOLD, GOLD.replace("I-LOC", "I-XYZ"), "the type of a span 'XYZ'|XYZ"),
        (GOLD, GOLD.replace("I-LOC", "?"), "Tag 0 is"),
    ],
)
def test_bad_tags_make_no_output(run, tmp_path, capsys, gold, system, message):
    assert run(gold, system) == 1
    assert re.search(message, capsys.readouterr().err)
    assert not (tmp_path / "o.parquet").exists()


def printed(path):
    """Return F1 by dataset and type, "" for all, from a report of conlleval."""
    found, dataset = {}, ""
    for line in path.read_text().splitlines():
        if re.fullmatch(r"\w+\.test\w", line):
            dataset = line
        elif "FB1" in line:
            kind = "" if line.startswith("accuracy") else line.partition(":")[0].strip()
            found[dataset, kind] = line.rpartition("FB1:")[2].split()[0]
    return found


def test_every_f1_is_the_one_that_conlleval_printed(mirror):
    folder = mirror("conlleval.out")
    table = free_choice.outcomes("data/outcomes/ner.parquet")
    reports = [file for file in sources.files("conll2003") if file.endswith("conlleval.out")]
    assert len(reports) == 16
    for file in reports:
        expected = printed(folder / file)
        system = table[table["system"] == file.split("/")[-2]]
        for dataset in ("eng.testa", "eng.testb"):
            rows = system[system["dataset"] == dataset]
            for kind, metric in {"": "F1", **{k: k for k in free_choice.TYPES}}.items():
                right, both = free_choice.counts(rows, metric).sum(axis=(0, 1))
                assert f"{100 * right / both:.2f}" == expected[dataset, kind], (file, dataset, kind)


def test_the_committed_table_has_every_system_and_set():
    table = free_choice.outcomes("data/outcomes/ner.parquet")
    assert table["dataset"].unique().tolist() == ["eng.testa", "eng.testb", "CoNLL++"]
    assert table.groupby("dataset")["system"].nunique().tolist() == [16] * 3
    by_set = table.drop_duplicates(["dataset", "instance"]).groupby("dataset", sort=False)["words"]
    assert by_set.sum().tolist() == [51578, 46666, 46666]  # as conlleval says
    gold = [f"{kind.lower()}_gold" for kind in score_spans.TYPES]
    spans = table[table["system"] == "wu"].groupby("dataset", sort=False)[gold].sum().sum(axis=1)
    assert spans.tolist()[:2] == [5942, 5648]  # as conlleval says
    guessed = [name.replace("gold", "guessed") for name in gold]
    assert (table["untyped"] <= table[guessed].sum(axis=1)).all()


def test_spans_are_those_of_the_library():
    gold, tags = GOLD.split("\n\n")[0].split(), SYSTEM.split("\n\n")[0].split()
    row = dict(zip(score_spans.COLUMNS, score_spans.counts(gold, tags), strict=True))
    correct, guessed, reference = metrics.span_sums([gold], [tags])[0]
    for count, total in (("correct", correct), ("guessed", guessed), ("gold", reference)):
        assert sum(row[f"{kind.lower()}_{count}"] for kind in score_spans.TYPES) == total


# --- known words


CONLLU = "# sent_id = 1\n1\tHello\t_\tINTJ\t_\t_\t0\troot\t_\t_\n\n"


def archive(path, **members):
    with zipfile.ZipFile(path, "w") as made:
        for name, text in members.items():
            made.writestr(name, text)
    return path


def listed(write, output, *archives):
    """Run the script on a treebank of one word and some archives."""
    command = [*archives, "--conllu", write("en.conllu", CONLLU), "--output", output]
    return vocabulary.main([str(part) for part in command])


def test_a_vocabulary_has_the_forms_of_all_three(write, tmp_path):
    tree = "( (S (NP-SBJ (DT The) (NN cat)) (VP (VBD sat) (NP (-NONE- *T*-1)))) )"
    penn = archive(tmp_path / "treebank.zip", **{"treebank/combined/wsj_0001.mrg": tree})
    members = {
        "masc_tagged/written/a.txt": "a_b_NN dogs_NNS untagged",
        "masc_tagged/categories.txt": "x Y",
    }
    masc = archive(tmp_path / "masc_tagged.zip", **members)
    out = tmp_path / "made" / "forms.txt"
    assert listed(write, out, penn, masc) == 0
    assert out.read_text() == "Hello\nThe\na_b\ncat\ndogs\nsat\n"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("treebank.zip", "treebank.zip cannot be read: .*fetch it again"),
        ("bank.zip", "Archive 'bank.zip' is not one of treebank.zip"),
    ],
)
def test_a_bad_archive_is_a_sentence(write, tmp_path, capsys, name, message):
    out = tmp_path / "forms.txt"
    assert listed(write, out, write(name, "no archive")) == 1
    assert re.search(message, capsys.readouterr().err)
    assert not out.exists()


def test_the_vocabulary_of_the_outcomes(mirror):
    folder = mirror("nltk", "en-ud-dev.conllu")
    archives = {file.rpartition("/")[2]: folder / file for file in sources.files("nltk")}
    assert len(vocabulary.forms(archives["treebank.zip"])) == 11968
    assert len(vocabulary.forms(archives["masc_tagged.zip"])) > 30000


def test_of_german_outputs_the_archive_has_totals_alone(mirror):
    listed = sources.rows("conll2003")["path"]
    assert not listed.str.rpartition("/")[2].str.startswith("deu").any()
    folder = mirror("conlleval.out")
    totals = listed[listed.str.endswith("/conlleval.out")]
    assert len(totals) == listed.str.endswith("/eng.testb").sum()
    for path in totals:
        text = (folder / path).read_text(encoding="utf-8")
        assert re.findall(r"^(\w+\.\w+)$", text, re.MULTILINE) == [
            *("eng.testa", "eng.testb"),
            *("deu.testa", "deu.testb"),
        ]
        names = {file.name for file in (folder / path).parent.iterdir()}
        assert names == {"conlleval.out", "eng.testa", "eng.testb"}
