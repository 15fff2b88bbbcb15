"""Inputs that once ended in a traceback, filled the memory or flooded the screen."""

import json
import shutil
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
import yaml
from corpus import logs

import replicability as rep
from replicability import cli
from replicability.api import published
from replicability.core import evaluation, procedure
from replicability.io import text
from replicability.io.study import read_study

HALF = "x\ud800"
"""Half of a character, which is in no file."""

LONG = int("9" * 400)
SAMPLES = Path(rep.__file__).parent / "cli" / "example"


def frame(**columns):
    """Return a frame whose cells and headers pandas leaves as they are."""
    made = pd.DataFrame(
        {n: pd.Series(cells, dtype=object) for n, cells in enumerate(columns.values())}
    )
    made.columns = pd.Index([*columns], dtype=object)
    return made


PRINTED = pd.DataFrame({"dataset": ["x"], "a": ["0.512345"], "b": ["0.4"]})
SCORES = {"a": [0.1, 0.5, 0.2, 0.9], "b": [0.2, 0.4, 0.1, 0.3]}

# what is asked, part of the sentence
REFUSED = {
    "a dataset": (
        lambda: rep.count({HALF: 0.1, "y": 0.2}),
        "dataset's name is 'x.*is not valid Unicode",
    ),
    "names": (
        lambda: rep.count([0.1, 0.2], [HALF, "y"]),
        "dataset's name is 'x.*is not valid Unicode",
    ),
    "a blank name": (lambda: rep.count([0.1, 0.2], [" ", "y"]), "name is empty"),
    "blank names": (lambda: rep.count([0.1, 0.2], [" ", " "]), "name is empty"),
    "a system": (lambda: rep.count([0.1, 0.2], a=HALF), "^a= is 'x.*is not valid Unicode"),
    "a group": (
        lambda: rep.count({"x": 0.1, "y": 0.2}, groups={HALF: ["x"]}),
        "^groups= is 'x.*is not valid Unicode",
    ),
    "a key": (
        lambda: rep.compare({HALF: ([1, 0], [0, 1])}),
        "dataset's name is 'x.*is not valid Unicode",
    ),
    "a header": (lambda: rep.compare(frame(**{HALF: [0.1, 1]}, b=[0.2, 1])), "a header is 'x"),
    "a cell": (
        lambda: rep.compare(frame(instance=[HALF, *"abc"], **SCORES)),
        "a cell of the column 'instance' is 'x.*is not valid Unicode",
    ),
    "a long score": (lambda: rep.compare([LONG, 1], [1, 2]), "the score is '9{59}"),
    "a long p-value": (lambda: rep.count([LONG, 0.1]), "is a longer number, but a p-value"),
    "a long level": (lambda: rep.count([0.1], alpha=LONG), "alpha= is a longer number"),
    "a longer level": (lambda: rep.count([0.1], alpha=10**5000), "alpha= is a longer number"),
    "a long resolution": (lambda: rep.count([0.1], resolution=LONG), "resolution= is a longer"),
    "long flips": (
        lambda: rep.compare([1, 2], [2, 1], n_flips=LONG),
        "n_flips= is a longer number",
    ),
    "long resamples": (
        lambda: rep.compare([1, 2], [2, 1], test="sign_flip", options={"n_resamples": LONG}),
        "n_resamples is a longer number",
    ),
    "long items": (
        lambda: rep.audit(PRINTED, scores=("a", "b"), items=LONG),
        "items is a longer number, but scores can be checked only up to 100,000,000",
    ),
    "items in a column": (
        lambda: rep.audit(PRINTED.assign(n="1000000000"), scores=("a", "b"), items="n"),
        "is not a number of items, which must be a whole number from 1 to 100,000,000",
    ),
    "a long identifier": (
        lambda: rep.compare(
            pd.Series([1, 2], index=["x" * 9999, "y"]), pd.Series([1, 2], index=["y", "z"])
        ),
        "'x{60}\\.\\.\\.' is in the index",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_no_file_can_hold_is_one_short_sentence(case):
    ask, said = REFUSED[case]
    with pytest.raises(rep.InputError, match=said) as caught:
        ask()
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 400
    str(caught.value).encode()


def test_as_many_items_as_are_checked_take_no_memory():
    made = rep.audit(PRINTED, scores=("a", "b"), items=published.MOST_ITEMS)
    assert not made.disputed


# --- 100,000 p-values ----------------------------------------------------------------------------


@pytest.mark.parametrize("dependence", ["independent", "positive", "dependent"])
@pytest.mark.parametrize("scale", [1, 1e-3])
def test_100_000_pvalues_are_searched_by_no_sum(monkeypatch, dependence, scale):
    def refuse(*arguments):
        raise AssertionError

    monkeypatch.setattr("replicability.stats.critical_values._excess", refuse)
    pvalues = np.random.default_rng(1).random(100_000) * scale
    result = rep.count(pvalues, dependence=dependence)
    assert (result.n, len(str(result)) < 400) == (100_000, True)
    result.view  # noqa: B018 - what the command line shows


def test_a_method_that_would_search_too_many_sums_is_refused(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(procedure, "MOST_SUMS", 2)
    said = "The method 'stouffer' supports at most 2 datasets, but there are 3; leave"
    with pytest.raises(rep.InputError, match=said):
        rep.count([0.1, 0.2, 0.3], dependence="independent", method="stouffer")
    values = ["pvalues", "0.1", "0.2", "0.3", "--independent"]
    assert cli.main([*values, "--method", "stouffer"]) == 1
    assert said in capsys.readouterr().err
    (tmp_path / "p.csv").write_text("dataset,p\nx,0.1\ny,0.2\nz,0.3\n", encoding="utf-8")
    (tmp_path / "s.yaml").write_text(
        "study: s\nalphas: [0.05]\ncomparisons:\n- name: c\n  systems: [A, B]\n"
        "  dependence: independent\n  method: stouffer\n"
        f"  file: {tmp_path}/p.csv\n  columns: {{dataset: dataset, p_value: p}}\n",
        encoding="utf-8",
    )
    with pytest.raises(rep.InputError, match=said):
        evaluation.evaluate(read_study(tmp_path / "s.yaml").comparisons[0])
    for method in ("simes", "bonferroni"):
        assert rep.count([0.1, 0.2, 0.3], dependence="independent", method=method).n == 3


# --- workbooks -----------------------------------------------------------------------------------

STRAY = {
    "double quotes": '<row r="1048576"><c s="1" r="XFD1048576"><v>1</v></c></row>',
    "single quotes": "<row r='1048576'><c r='XFD1048576'><v>1</v></c></row>",
    "a line break": '<row\nr="1048576"><c\nr="XFD1048576"><v>1</v></c></row>',
    "blanks": '<row r = "1048576"><c r = "XFD1048576"><v>1</v></c></row>',
    "small letters": '<row r="1048576"><c r="xfd1048576"><v>1</v></c></row>',
    "zeros": '<row r="1048576"><c r="XFD0001048576"><v>1</v></c></row>',
    "an entity": '<row r="1048576"><c r="&#88;FD1048576"><v>1</v></c></row>',
    "another attribute": """<row r="1048576"><c x=' r="A1"' r="XFD1048576"><v>1</v></c></row>""",
    "no places": f'<row r="1048575"/><row>{"<c/>" * 16383}<c><v>1</v></c></row>',
}


def packed(path, member, content):
    """Write an archive of one member."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(member, content)
    return path


@pytest.mark.parametrize("case", STRAY)
def test_a_stray_cell_is_found_however_it_is_written(tmp_path, case):
    rows = f'<row r="1"><c r="A1"><v>1</v></c></row>{STRAY[case]}'
    sheet = f"<worksheet><sheetData>{rows}</sheetData></worksheet>"
    path = packed(tmp_path / "s.xlsx", "xl/worksheets/sheet1.xml", sheet)
    with pytest.raises(
        rep.InputError, match=r"extends to column XFD and row 1,048,576, which makes"
    ):
        rep.compare(path)


def test_a_stray_cell_in_a_binary_workbook(tmp_path):
    def record(kind, content):
        return bytes([kind, len(content) | 0x80, 0]) + content  # a length of two bytes

    def sheet(row, column):
        begin = bytes([0x81, 0x01, 0])  # BrtBeginSheet, a kind of two bytes
        cell = record(5, column.to_bytes(4, "little") + bytes(12))
        return begin + record(0, row.to_bytes(4, "little") + bytes(13)) + cell

    path = packed(tmp_path / "s.xlsb", "xl/worksheets/sheet1.bin", sheet(1048575, 16383))
    with pytest.raises(
        rep.InputError, match=r"extends to column XFD and row 1,048,576, which makes"
    ):
        rep.compare(path)
    for content in (sheet(99, 9), sheet(1048575, 16383)[:12], b"\x80"):
        packed(path, "xl/worksheets/sheet1.bin", content)
        with pytest.raises(rep.InputError, match="is not a workbook, or is incomplete"):
            rep.compare(path)


def test_a_sheet_that_does_not_unpack_is_a_sentence(tmp_path):
    path = packed(tmp_path / "s.xlsx", "xl/worksheets/sheet1.xml", "<worksheet/>" * 99)
    content = bytearray(path.read_bytes())
    content[60] ^= 255
    path.write_bytes(content)
    with pytest.raises(rep.InputError, match="is not a workbook, or is incomplete"):
        rep.compare(path)


# --- logs ----------------------------------------------------------------------------------------


def copied(folder, name):
    """Copy the sample of a format; return both sides, and the files of A."""
    place = shutil.copytree(SAMPLES / name, folder / name)
    return (place / "ours", place / "baseline"), sorted((place / "ours").rglob("*.json"))


def trial(entries):
    entries[2]["train_trial_index"] = []


def long_sum(entries):
    for statistic in entries[0]["stats"]:
        statistic |= {"sum": LONG}


def half_an_identifier(entries):
    entries[0]["instance_id"] = HALF


def half_an_id(log):
    log["samples"][0]["id"] = HALF


def half_a_task(log):
    log["eval"]["task"] = HALF


def no_sample(log):
    log["samples"] = [[]]


# format, change, part of the sentence
LOGS = [
    ("helm", trial, r"entry 3: 'train_trial_index' is \[\], but it must be a whole number"),
    ("helm", long_sum, r"has the sum a longer number and the count"),
    ("helm", half_an_identifier, r"entry 1 has no text under 'instance_id'"),
    ("inspect_ai", half_an_id, r"the id of a sample is 'x\\ud800', which is not valid Unicode"),
    ("inspect_ai", half_a_task, r"a task or model is 'x\\ud800', which is not valid Unicode"),
    ("inspect_ai", no_sample, r"a sample has no 'id', which"),
]


@pytest.mark.parametrize(
    ("name", "change", "said"), LOGS, ids=[change.__name__ for _, change, _ in LOGS]
)
def test_a_malformed_log_is_a_sentence(tmp_path, capsys, name, change, said):
    sides, files = copied(tmp_path, name)
    content = json.loads(files[0].read_text(encoding="utf-8"))
    change(content)
    files[0].write_text(json.dumps(content), encoding="utf-8")
    with pytest.raises(rep.InputError, match=said):
        rep.compare(*sides, format=name)
    assert cli.main(["compare", *map(str, sides), "--format", name]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_half_a_character_in_an_input_is_no_reason_to_refuse(tmp_path):
    sides, files = copied(tmp_path, "inspect_ai")
    for path in sorted(path for side in sides for path in side.rglob("*.json")):
        log = json.loads(path.read_text(encoding="utf-8"))
        for sample in log.get("samples") or ():
            if isinstance(sample["input"], str):
                sample["input"] += HALF
        path.write_text(json.dumps(log), encoding="utf-8")
    assert files
    assert rep.compare(*sides, format="inspect_ai").n > 0


# --- archives and files --------------------------------------------------------------------------


@pytest.fixture
def archived(tmp_path):
    """Return a function that stores the sample of Inspect as an archive, changed."""

    def archived(name="a.eval", change=lambda content: content):
        _sides, files = copied(tmp_path / name, "inspect_ai")
        log = json.loads(files[0].read_text(encoding="utf-8"))
        path = tmp_path / name / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for sample in log.pop("samples"):
                name = f"samples/{sample['id']}_epoch_{sample['epoch']}.json"
                archive.writestr(name, json.dumps(sample))
            archive.writestr("header.json", json.dumps(log) + " " * 5000)
        path.write_bytes(change(bytearray(path.read_bytes())))
        return path

    return archived


def encrypted(content):
    """Set the bit of encryption of all members of an archive."""
    for mark, place in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        at = -1
        while (at := content.find(mark, at + 1)) >= 0:
            content[at + place] |= 1
    return content


def understated(content):
    """Let the archive say that its last member, the header, is small."""
    at = content.rfind(b"PK\x01\x02")
    content[at + 24 : at + 28] = (100).to_bytes(4, "little")
    return content


def refused_by_every_door(capsys, said, *sides, **keywords):
    with pytest.raises(rep.InputError, match=said):
        rep.compare(*sides, **keywords)
    assert cli.main(["compare", *map(str, sides)]) == 1
    assert capsys.readouterr().err.count("\n") == 1
    assert not rep.check(*sides)


@pytest.mark.parametrize(
    ("change", "said"),
    [(encrypted, "is encrypted; write it again without"), (understated, "is not a complete .eval")],
)
def test_an_archive_that_cannot_be_unpacked(archived, capsys, change, said):
    refused_by_every_door(capsys, said, archived(change=change), archived("b.eval"))


def test_what_an_archive_says_is_unpacked_and_no_more(archived, capsys, monkeypatch):
    """Not for the name of the model either, which is read first."""
    sides, unpacked = (archived(), archived("b.eval")), []
    read = zipfile.ZipExtFile.read
    monkeypatch.setattr(
        zipfile.ZipExtFile, "read", lambda file, n=-1: (unpacked.append(n), read(file, n))[1]
    )
    rep.compare(*sides)
    assert unpacked and min(unpacked) > 0
    unpacked.clear()
    monkeypatch.setattr("replicability.io.inspect_logs.MOST_OF_ONE", 4999)
    refused_by_every_door(capsys, "At most .* and 4,999 per member", *sides)
    assert not unpacked


@pytest.mark.parametrize(
    ("score", "said"),
    [
        ("9" * 400, "is a longer number, but it must be a finite"),
        ("9" * 5000, "more than 4,300 digits"),
    ],
)
def test_a_long_score_of_every_eval_ever(tmp_path, capsys, score, said):
    sides = [tmp_path / f"{side}_samples.jsonl" for side in "ab"]
    for path, value in zip(sides, (score, 1), strict=True):
        path.write_text(
            '{"schema_version": "0.3.0", "model_id": "m", "evaluation_name": "arc", '
            f'"sample_id": "q", "evaluation": {{"score": {value}}}}}\n'
        )
    refused_by_every_door(capsys, said, *sides)


def test_a_path_with_a_zero_byte_is_a_sentence(tmp_path, capsys):
    other = tmp_path / "b.csv"
    other.write_text("instance,score\nx,1\n")
    for sides in (["a\0.csv"], ["a\0.csv", other], [other, "a\0.csv"]):
        refused_by_every_door(
            capsys, "cannot be read \\(no file can have this name\\); choose another file", *sides
        )
    assert cli.main(["pvalues", "a\0.csv"]) == 1
    assert "contains a null byte; remove it" in capsys.readouterr().err


def test_files_whose_names_are_no_text_are_a_sentence(tmp_path, capsys):
    for side in "ab":
        (tmp_path / side).mkdir()
        try:
            (tmp_path / side / "x\udcff.csv").write_text("instance,ours,base\nx,1,0\ny,1,0\n")
        except OSError:
            pytest.skip("the file system keeps such names out")
    said = r"the name of a (file|dataset) is 'x\\udcff', which is not valid Unicode"
    refused_by_every_door(capsys, said, tmp_path / "a", tmp_path / "b", format="folders")
    refused_by_every_door(capsys, said, tmp_path / "a")
    with pytest.raises(rep.InputError, match=said):
        rep.all_pairs(tmp_path / "a")


def test_a_p_value_with_an_underscore_is_a_sentence(tmp_path, capsys):
    assert cli.main(["pvalues", "0.0_1", "0.2"]) == 1
    assert "text that contains an underscore; pass numbers" in capsys.readouterr().err
    for given in ({"x": "0.0_1"}, ["0.0_1"], ("0.0_1",)):
        with pytest.raises(rep.InputError, match="that contains an underscore"):
            rep.count(given)
    (tmp_path / "p.txt").write_text("0.0_1\n0.2\n")
    assert cli.main(["pvalues", str(tmp_path / "p.txt")]) == 1
    assert cli.main(["pvalues", "0.1", "--alpha", "0.0_5"]) == 1
    capsys.readouterr()


def test_keys_that_are_to_be_merged_are_a_sentence(tmp_path):
    path = tmp_path / "s.yaml"
    path.write_text("study: s\nx: &x {dependence: dependent}\ncomparisons:\n- <<: *x\n  name: c\n")
    with pytest.raises(
        rep.InputError, match=r"line 4 .*merge keys are not supported; write out what << means"
    ):
        read_study(path)


@pytest.mark.parametrize("kind", ["inspect_ai", "helm", "lm_eval", "every_eval_ever"])
def test_a_whole_disk_is_not_searched(tmp_path, monkeypatch, capsys, kind):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(text, "MOST_BELOW", 9)
    logs.store(logs.sample(kind), tmp_path)
    for number in range(10):
        Path("ours", f"notes {number}.txt").write_text("nothing")
    said = "ours contains more than 9 files and folders, too many to search for scores; give a"
    with pytest.raises(rep.InputError, match=said):
        rep.compare("ours", "baseline", format=kind)
    assert cli.main(["compare", "ours", "baseline", "--format", kind]) == 1
    assert said in " ".join(capsys.readouterr().err.split())
    block = {"name": "c", "systems": ["ours", "base"], "format": kind, "dependence": "dependent"}
    block["files"] = {"a": "ours", "b": "baseline"}
    content = {"study": "s", "alphas": [0.05], "comparisons": [block]}
    Path("s.yaml").write_text(yaml.safe_dump(content), encoding="utf-8")
    with pytest.raises(rep.InputError, match=said):
        rep.read_study("s.yaml").ask()
