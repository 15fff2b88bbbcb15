"""The last steps of the outcomes stage, its choices, and the files it has put in data/outcomes."""

import re
import shutil
import sys
from importlib import metadata

import numpy as np
import pandas as pd
import pytest
import yaml
from scipy import stats

from analysis import paths, sources, workflow
from replicability.checks import InputError
from replicability.io import delimited

sys.path.insert(0, str(paths.ROOT / "scripts"))

import gather
import gather_treebanks
import publish_outcomes
import versions

CHOICES = workflow.outcome_choices()
COMMITTED = paths.ROOT / "data" / "outcomes"
README = (COMMITTED / "README.md").read_text(encoding="utf-8")
SENTIMENT = ["sentiment_reviews", "sentiment_features"]
TEXTS = ("dataset", "document", "instance", "system")
BY_SYSTEM = ["parsing", "tagging", "ner", "low_resource", *SENTIMENT]
TABLES = [*BY_SYSTEM, "word_similarity"]
COUNTS = {
    "parsing": [
        ("upos", "words"),
        ("uas", "words"),
        ("las", "uas"),
        ("unknown", "words"),
        ("unknown_upos", "unknown"),
        ("unknown_upos", "upos"),
    ],
    "ner": [
        (f"{kind}_correct", f"{kind}_{whole}")
        for kind in ("loc", "misc", "org", "per")
        for whole in ("guessed", "gold")
    ],
    "tagging": [("upos", "words")],
    "low_resource": [
        ("correct", "words"),
        ("unknown", "words"),
        ("unknown_correct", "unknown"),
        ("unknown_correct", "correct"),
    ],
}
"""Counts that cannot be larger than others."""


def committed(name):
    return pd.read_parquet(COMMITTED / f"{name}.parquet")


def paper(table):
    """Return the datasets of a table of the paper, in its order."""
    return delimited.read_table(paths.PUBLISHED / "dror2017" / f"{table}.csv").iloc[:, 0].tolist()


# --- gather


@pytest.fixture
def parquet(tmp_path):
    """Return a function that writes a Parquet file and returns its path."""

    def write(name, **columns):
        pd.DataFrame(columns).to_parquet(tmp_path / name)
        return tmp_path / name

    return write


def test_parts_follow_each_other_under_their_datasets(parquet, tmp_path):
    a = parquet("a.parquet", instance=["1", "2"], system=["x", "x"], correct=[3, 4])
    b = parquet("b.parquet", instance=["1"], system=["y"], correct=[5])
    out = tmp_path / "made" / "out.parquet"
    parts = [f"books → dvd={b}", f"Danish={a}", f"Danish={b}"]
    assert gather.main(["--output", str(out), *parts]) == 0
    table = pd.read_parquet(out)
    assert list(table.columns) == ["dataset", "instance", "system", "correct"]
    assert list(table.itertuples(index=False, name=None)) == [
        ("books → dvd", "1", "y", 5),
        ("Danish", "1", "x", 3),
        ("Danish", "2", "x", 4),
        ("Danish", "1", "y", 5),
    ]


def test_parts_keep_the_types_of_their_columns(parquet):
    part = parquet("a.parquet", instance=["1"], words=np.array([7], dtype=np.uint16))
    assert gather.gather([f"a={part}", f"b={part}"])["words"].dtype == np.uint16


@pytest.mark.parametrize("columns", [["instance", "right"], ["correct", "instance"], ["instance"]])
def test_parts_with_other_columns_are_refused(parquet, tmp_path, capsys, columns):
    a = parquet("a.parquet", instance=["1"], correct=[1])
    b = parquet("b.parquet", **{column: ["1"] for column in columns})
    assert gather.main(["--output", str(tmp_path / "out"), f"a={a}", f"b={b}"]) == 1
    assert capsys.readouterr().err == (
        f"{b} has the columns {', '.join(columns)}, but the first file has instance, correct; "
        "make both files again.\n"
    )
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("part", ["a.parquet", "=a.parquet", "a="])
def test_a_part_without_a_name_or_a_file_is_refused(part):
    with pytest.raises(
        InputError, match=rf"'{part}' does not name a dataset and a file; write DATASET="
    ):
        gather.gather([part])


# --- gather_treebanks


@pytest.mark.parametrize(
    ("name", "team"),
    [
        ("Stanford-18", "Stanford"),
        ("HIT-SCIR-18", "HIT-SCIR"),
        ("UDPipe-Future", "UDPipe-Future"),
        ("UFAL-UDPipe-1-2", "UFAL-UDPipe-1-2"),
        ("conll17-baseline", "baseline"),
        ("baseline", "baseline"),
    ],
)
def test_a_team_has_one_name_in_both_editions(name, team):
    assert gather_treebanks.team(name) == team


def test_domains_are_told_by_the_beginning_and_stand_in_their_order():
    entry = {"treebank": "t", "domains": {"w": "wiki", "n": "news"}}
    scores = pd.DataFrame({"instance": ["n1", "w1", "n2", "w2"], "words": [1, 2, 3, 4]})
    found = gather_treebanks.by_domain(entry, scores)
    assert found[["dataset", "instance", "words"]].to_numpy().tolist() == [
        ["wiki", "w1", 2],
        ["wiki", "w2", 4],
        ["news", "n1", 1],
        ["news", "n2", 3],
    ]
    assert "dataset" not in scores


def test_the_first_beginning_that_fits_counts_and_an_empty_one_fits_everything():
    scores = pd.DataFrame({"instance": ["bio-1", "bi-1", "x"]})
    entry = {"treebank": "t", "domains": {"bio": "biographies", "bi": "both", "": "rest"}}
    found = gather_treebanks.by_domain(entry, scores)
    assert found["dataset"].tolist() == ["biographies", "both", "rest"]
    whole = gather_treebanks.by_domain({"treebank": "t", "domains": {"": "LinES"}}, scores)
    assert whole["dataset"].tolist() == ["LinES"] * 3


def test_two_beginnings_may_be_one_domain():
    entry = {"treebank": "t", "domains": {"a": "letters", "1": "digits", "b": "letters"}}
    scores = pd.DataFrame({"instance": ["1", "b", "a"]})
    found = gather_treebanks.by_domain(entry, scores)
    assert found[["dataset", "instance"]].to_numpy().tolist() == [
        ["letters", "b"],
        ["letters", "a"],
        ["digits", "1"],
    ]


def test_a_beginning_of_no_domain_is_refused():
    entry = {"treebank": "en_pud", "domains": {"n": "news", "w": "wiki"}}
    scores = pd.DataFrame({"instance": ["n1", "x9", "y"]})
    message = r"en_pud: the sent_id 'x9' does not begin with a domain listed in .* \(n, w\)"
    with pytest.raises(InputError, match=message):
        gather_treebanks.by_domain(entry, scores)


ENTRIES = [
    {"treebank": "en_a", "edition": 2018, "domains": {"n": "news", "w": "wiki"}},
    {"treebank": "en_b", "edition": 2018, "language": "English", "domains": {"": "B"}},
    {"treebank": "ar_c", "edition": 2017, "language": "Arabic"},
]


@pytest.fixture
def folder(tmp_path):
    """Return a folder of scores of three treebanks, one sentence or two each."""
    counts = ["words", "upos", "uas", "las", "unknown", "unknown_upos"]
    keys = ["instance", "document", "system", *counts]
    made = {
        "2018_en_a": [
            ("w1", "w", "Uppsala-18", 4, 3, 2, 1, 2, 1),
            ("n1", "n", "Uppsala-18", 5, 4, 3, 2, 0, 0),
        ],
        "2018_en_b": [("1", "d1", "baseline", 6, 5, 4, 3, 1, 1)],
        "2017_ar_c": [("1", "", "conll17-baseline", 7, 6, 5, 4)],
    }
    for stem, rows in made.items():
        scores = pd.DataFrame(rows, columns=keys[: len(rows[0])])
        scores.to_parquet(tmp_path / f"{stem}.parquet")
        totals = scores.groupby("system", as_index=False)[counts[:4]].sum()
        totals.insert(2, "system_words", 9)
        totals = totals.rename(columns={"words": "gold_words"})
        totals.to_csv(tmp_path / f"{stem}.csv", index=False)
    return tmp_path


@pytest.fixture
def choices(write):
    """Return a function that writes choices with some treebanks and returns the path."""

    def choices(entries):
        return write("choices.yaml", yaml.safe_dump(CHOICES | {"treebanks": entries}))

    return choices


def test_treebanks_are_gathered_by_domain_and_language(folder, choices):
    assert gather_treebanks.main(choices(ENTRIES), folder, folder / "made") == 0
    parsing = pd.read_parquet(folder / "made" / "parsing.parquet")
    counts = ["words", "upos", "uas", "las", "unknown", "unknown_upos"]
    assert list(parsing.columns) == ["dataset", "document", "instance", "system", *counts]
    assert list(parsing.itertuples(index=False, name=None)) == [
        ("news", "n", "n1", "Uppsala", 5, 4, 3, 2, 0, 0),
        ("wiki", "w", "w1", "Uppsala", 4, 3, 2, 1, 2, 1),
        ("B", "d1", "1", "baseline", 6, 5, 4, 3, 1, 1),
    ]
    tagging = pd.read_parquet(folder / "made" / "tagging.parquet")
    assert list(tagging.columns) == ["dataset", "instance", "system", "words", "upos"]
    assert list(tagging.itertuples(index=False, name=None)) == [
        ("English", "1", "baseline", 6, 5),
        ("Arabic", "1", "baseline", 7, 6),
    ]
    assert (folder / "made" / "treebanks.csv").read_text() == (
        "edition,treebank,system,gold_words,system_words,upos,uas,las\n"
        "2018,en_a,Uppsala-18,9,9,7,5,3\n"
        "2018,en_b,baseline,6,9,5,4,3\n"
        "2017,ar_c,conll17-baseline,7,9,6,5,4\n"
    )
    assert len(list((folder / "made").iterdir())) == 3


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (
            [ENTRIES[0] | {"domains": {"n": "news"}}, *ENTRIES[1:]],
            "the sent_id 'w1' does not begin with",
        ),
        (
            ENTRIES[2:],
            "choices.yaml: no treebank has the key 'domains'; add the key to",
        ),
        (
            ENTRIES[:1],
            "choices.yaml: no treebank has the key 'language'; add the key to",
        ),
    ],
)
def test_bad_choices_of_treebanks_write_nothing(folder, choices, capsys, entries, message):
    assert gather_treebanks.main(choices(entries), folder, folder / "made") == 1
    assert message in capsys.readouterr().err
    assert not (folder / "made").exists()


# --- publish_outcomes


def test_publishing_says_what_differs(write, tmp_path, capsys):
    files = [write(name, name) for name in ("same", "other", "fresh")]
    into = tmp_path / "committed"
    into.mkdir()
    (into / "same").write_text("same")
    (into / "other").write_text("OTHER")
    untouched = (into / "same").stat().st_mtime_ns
    arguments = [*map(str, files), "--into", str(into)]
    assert publish_outcomes.main(arguments) == 0
    assert capsys.readouterr().out == (
        f"{into}/same: identical\n{into}/other: changed\n{into}/fresh: new\n"
    )
    assert {path.name: path.read_text() for path in into.iterdir()} == {
        name: name for name in ("same", "other", "fresh")
    }
    assert (into / "same").stat().st_mtime_ns == untouched
    assert publish_outcomes.main(arguments) == 0
    assert capsys.readouterr().out.count("identical") == 3


@pytest.mark.parametrize("before", [{}, {"file": "before"}])
def test_a_copy_that_fails_leaves_what_was_there(write, tmp_path, capsys, monkeypatch, before):
    def half(source, target):
        target.write_bytes(source.read_bytes()[:3])
        raise OSError(28, "No space left on device")

    into = tmp_path / "committed"
    into.mkdir()
    for name, text in before.items():
        (into / name).write_text(text)
    monkeypatch.setattr(shutil, "copyfile", half)
    assert publish_outcomes.main([str(write("file", "after")), "--into", str(into)]) == 1
    assert {path.name: path.read_text() for path in into.iterdir()} == before
    assert "could not be published: [Errno 28] No space left on device" in capsys.readouterr().err


def test_an_outcome_that_was_not_made_is_a_sentence(tmp_path, capsys):
    into = tmp_path / "committed"
    assert publish_outcomes.main([str(tmp_path / "gone"), "--into", str(into)]) == 1
    assert "gone could not be published" in capsys.readouterr().err
    assert list(into.iterdir()) == []


# --- versions


def test_versions_are_the_installed_ones(tmp_path):
    pytest.importorskip("gensim", reason="the group 'outcomes' is not installed")
    assert versions.main(tmp_path / "versions.csv") == 0
    table = delimited.read_table(tmp_path / "versions.csv").set_index("package")["version"]
    assert list(table.index) == ["python", *versions.PACKAGES]
    assert table["python"] == f"{sys.version_info.major}.{sys.version_info.minor}"
    assert all(table[name] == metadata.version(name) for name in versions.PACKAGES)
    assert [path.name for path in tmp_path.iterdir()] == ["versions.csv"]


def test_the_committed_versions_are_those_of_the_lock():
    table = delimited.read_table(COMMITTED / "versions.csv").set_index("package")["version"]
    assert list(table.index) == ["python", *versions.PACKAGES]
    lock = (paths.ROOT / "requirements.lock").read_text(encoding="utf-8")
    locked = set(re.findall(r"^([\w.-]+)==([\w.]+)", lock, re.MULTILINE))
    assert {*table.drop("python").items()} <= locked


# --- workflow


def test_the_choices_hold_what_the_rules_read():
    named = ["seed", "treebanks", "named_entities", "low_resource", "sentiment", "word_similarity"]
    assert list(CHOICES) == [*named, "translation"]
    codes = [(entry["edition"], entry["treebank"]) for entry in CHOICES["treebanks"]]
    assert len(codes) == len(set(codes))
    assert all({"domains", "language"} & entry.keys() for entry in CHOICES["treebanks"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("treebanks:", "treebank:"), r"key 'treebank' is not .*did you mean 'treebanks'\?"),
        (("seed: 2017\n", ""), r"choices.yaml: the key 'seed' is missing; add it\."),
        (("seed: 2017", "seed: ["), r"choices.yaml, line \d+ is not valid YAML"),
    ],
)
def test_wrong_choices_are_refused(write, change, message):
    text = (paths.CONFIG / "outcomes.yaml").read_text(encoding="utf-8")
    assert change[0] in text
    with pytest.raises(InputError, match=message):
        workflow.outcome_choices(write("choices.yaml", text.replace(*change)))


@pytest.mark.parametrize("text", ["", "treebanks\n", "- seed\n"])
def test_choices_without_keys_are_refused(write, text):
    with pytest.raises(InputError, match=r"choices.yaml"):
        workflow.outcome_choices(write("choices.yaml", text))


def test_missing_choices_are_named_with_the_nearest():
    with pytest.raises(InputError, match=r"outcome.yaml does not exist; did you mean 'outcomes.y"):
        workflow.outcome_choices("config/outcome.yaml")


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["raw/a/1", "raw/a/2"], "raw/a"),
        (["raw/a/1"], "raw/a"),
        (["raw/a/1", "raw/b/1"], "raw"),
        (["raw/ab/1", "raw/a/b/1"], "raw"),
        (["raw/a/1", "raw/a/b/c/1"], "raw/a"),
    ],
)
def test_common_folder(files, expected):
    assert workflow.common_folder(files) == expected


@pytest.mark.parametrize(
    ("study", "expected"),
    [
        ("paper", "figures"),
        ("open", "figures/open"),
        ("mine", "results/mine/figures"),
    ],
)
def test_only_the_studies_of_the_repository_go_to_committed_folders(study, expected):
    assert workflow.folder(study, "figures") == expected
    assert workflow.folder(study, "tables") == expected.replace("figures", "tables")


def test_a_mirror_is_no_part_of_the_study():
    assert workflow.study_file([], {"mirror": "raw"}) == "config/paper.yaml"
    assert workflow.study_file(["config/open.yaml"], ["mirror"]) == "config/open.yaml"
    for overrides in (["seed"], ["mirror", "alphas"], ["mirrors"]):
        with pytest.raises(InputError, match="--config sets only"):
            workflow.study_file([], overrides)


# --- the committed outcomes


def described():
    """Return the columns that data/columns.csv lists for each file of outcomes."""
    table = pd.read_csv(COMMITTED.parent / "columns.csv")
    table = table[table["file"].str.startswith("outcomes/")]
    return {
        file.removeprefix("outcomes/"): list(own) for file, own in table.groupby("file")["column"]
    }


def test_the_readme_lists_the_files():
    cells = "".join(re.findall(r"^\| (`[^|]+) \|", README, re.MULTILINE))
    listed = re.findall(r"`([\w.]+\.(?:parquet|csv|json))`", cells)
    held = {path.name for path in COMMITTED.iterdir()} - {"README.md"}
    assert set(listed) == held
    assert described().keys() == held - {"wmt25.json"}


@pytest.mark.parametrize("name", TABLES)
def test_the_readme_lists_the_columns(name):
    own = described()[f"{name}.parquet"]
    columns = list(committed(name).columns)
    assert own == (columns if "*" not in own else [*columns[: len(own) - 1], "*"])


def test_the_readme_lists_the_columns_of_the_totals():
    assert described()["treebanks.csv"] == list(pd.read_csv(COMMITTED / "treebanks.csv").columns)


@pytest.mark.parametrize("name", TABLES)
def test_every_row_has_its_own_name_and_nothing_is_missing(name):
    table = committed(name)
    keys = [key for key in TEXTS if key in table]
    assert not table.duplicated([key for key in keys if key != "document"]).any()
    assert not table.isna().any(axis=None)
    assert np.isfinite(table.drop(columns=keys).to_numpy(dtype=float)).all()


@pytest.mark.parametrize("name", TABLES)
def test_only_identifiers_are_text(name):
    table = committed(name)
    others = table.columns.drop([key for key in TEXTS if key in table])
    assert all(pd.api.types.is_numeric_dtype(table[column]) for column in others)
    assert table["instance"].str.fullmatch(r"\S{1,100}").all()
    if "system" in table:
        assert pd.Series(table["system"].unique()).str.fullmatch(r"[\w-]{1,20}").all()


@pytest.mark.parametrize("name", BY_SYSTEM)
def test_systems_of_a_dataset_share_its_instances(name):
    table = committed(name)
    for dataset, rows in table.groupby("dataset"):
        groups = rows.groupby("system")
        assert groups.ngroups > 1, dataset
        assert (groups.size() == rows["instance"].nunique()).all(), dataset


@pytest.mark.parametrize("name", ["parsing", "tagging", "ner", "low_resource"])
def test_words_of_an_instance_are_the_same_for_all_systems(name):
    words = committed(name).groupby(["dataset", "instance"])["words"]
    assert (words.min() == words.max()).all()
    assert (words.min() > 0).all()


@pytest.mark.parametrize(
    ("name", "part", "whole"), [(name, *pair) for name, pairs in COUNTS.items() for pair in pairs]
)
def test_no_count_is_larger_than_what_it_is_a_part_of(name, part, whole):
    table = committed(name)
    assert (table[part] <= table[whole]).all()
    assert table[part].sum() > 0


def test_parsing_has_fifteen_domains():
    chosen = [name for e in CHOICES["treebanks"] for name in e.get("domains", {}).values()]
    assert len(chosen) == 15
    assert committed("parsing")["dataset"].unique().tolist() == chosen


def test_every_sentence_of_an_english_domain_is_in_one_document():
    parsing = committed("parsing")
    places = parsing[["dataset", "document", "instance"]].drop_duplicates()
    assert not places.duplicated(["dataset", "instance"]).any()
    assert not places[["dataset", "document"]].drop_duplicates()["document"].duplicated().any()
    assert (parsing["document"] != "").all()
    ewt = parsing[parsing["dataset"].str.startswith("EWT")]
    assert (ewt["instance"].str.rsplit("-", n=1).str[0] == ewt["document"]).all()
    gum = parsing[parsing["dataset"].str.startswith("GUM")]
    assert (gum["instance"].str.rsplit("-", n=1).str[0] == gum["document"]).all()


def test_tagging_has_the_languages_of_the_paper_but_tamil():
    found = committed("tagging")["dataset"].unique().tolist()
    assert len(found) == 22
    assert {*found} == {*paper("table3")} - {"Tamil"}


def test_low_resource_has_the_languages_of_the_paper():
    table = committed("low_resource")
    assert len(paper("table3")) == 23
    assert table["dataset"].unique().tolist() == paper("table3")
    assert table["system"].unique().tolist() == CHOICES["low_resource"]["taggers"]


@pytest.mark.parametrize("name", SENTIMENT)
def test_sentiment_has_every_ordered_pair_of_domains(name):
    table = committed(name)
    domains = CHOICES["sentiment"]["domains"]
    assert {*table["dataset"]} == {f"{a} → {b}" for a in domains for b in domains if a != b}
    assert table["dataset"].nunique() == 12
    assert table["correct"].isin([0, 1]).all()
    means = table.groupby(["dataset", "system"])["correct"].mean()
    assert means.between(0.6, 0.95).all()


def test_every_pair_of_domains_has_two_thousand_reviews():
    sizes = committed("sentiment_reviews").groupby(["dataset", "system"])["instance"].nunique()
    assert (sizes == 2000).all()


def test_word_similarity_has_twelve_sets_of_ranked_pairs():
    table = committed("word_similarity")
    assert table["dataset"].nunique() == 12
    assert table["instance"].str.fullmatch(r"[1-9]\d*").all()
    assert table[["W2V", "GloVe"]].abs().to_numpy().max() <= 1 + 1e-9
    for dataset, rows in table.groupby("dataset"):
        assert (stats.rankdata(rows["gold"]) == rows["gold"]).all(), dataset
        assert rows["gold"].min() < rows["gold"].max(), dataset


def test_coverage_counts_the_pairs_that_are_here():
    coverage = pd.read_csv(COMMITTED / "coverage.csv")
    assert list(coverage.columns) == ["dataset", "pairs", "covered"]
    table = committed("word_similarity")
    assert coverage["dataset"].tolist() == table["dataset"].unique().tolist()
    sizes = table.groupby("dataset").size()
    assert (coverage.set_index("dataset")["covered"] == sizes.loc[coverage["dataset"]]).all()
    assert (coverage["covered"] <= coverage["pairs"]).all()
    last = table["instance"].astype(int).groupby(table["dataset"]).max()
    assert (last.loc[coverage["dataset"]].to_numpy() <= coverage["pairs"]).all()


def test_totals_are_of_the_chosen_treebanks_and_of_all_their_systems():
    totals = pd.read_csv(COMMITTED / "treebanks.csv")
    found = totals[["edition", "treebank"]].drop_duplicates().itertuples(index=False, name=None)
    assert list(found) == [(e["edition"], e["treebank"]) for e in CHOICES["treebanks"]]
    assert not totals.duplicated(["edition", "treebank", "system"]).any()
    words = totals[["gold_words", "system_words"]].min(axis=1)
    assert (totals[["upos", "uas"]].max(axis=1) <= words).all()
    assert (totals["las"] <= totals["uas"]).all()
    for (edition, treebank), rows in totals.groupby(["edition", "treebank"]):
        gold = 1
        assert len(rows) == len(conllu(f"conll{edition}_{treebank}")) - gold


def conllu(source):
    return [file for file in sources.files(source) if file.endswith(".conllu")]


@pytest.mark.parametrize(("name", "key"), [("parsing", "domains"), ("tagging", "language")])
def test_instances_add_up_to_the_totals(name, key):
    counts = [column for column in ("words", "upos", "uas", "las") if column in committed(name)]
    sums = committed(name).groupby(["dataset", "system"])[counts].sum()
    totals = pd.read_csv(COMMITTED / "treebanks.csv").rename(columns={"gold_words": "words"})
    totals["system"] = totals["system"].map(gather_treebanks.team)
    for entry in (e for e in CHOICES["treebanks"] if key in e):
        datasets = [*entry["domains"].values()] if key == "domains" else [entry["language"]]
        here = totals[totals["treebank"] == entry["treebank"]].set_index("system")
        added = sums.loc[datasets].groupby("system").sum()
        pd.testing.assert_frame_equal(
            added, here.loc[added.index, counts], check_dtype=False, obj=entry["treebank"]
        )
        assert len(added) == len(here)
