"""Faults of translations, references and documents, in the form of `test_faults`.

A row of `FAULTS` is a name, the case it breaks, how, and what comes out: a regular expression for
the message, or a function of the evaluated tables of the whole case and of the broken one.
"""

# ruff: noqa: E501 - a row of the table of faults is a line
import functools
import re
import sys

import faults
import numpy as np
import pytest
from test_faults import edit, evaluated, keys, move, prepare, put, recode, same
from test_faulty_files import both, datasets, differences

from replicability import cli
from replicability.cli import new

SAMPLE = new.EXAMPLES / "translations"
SETS = ("news", "recipes")
TEXTS = {
    f"{folder}/{name}.txt": (SAMPLE / side / f"{name}.txt").read_text(encoding="utf-8")
    for folder, side in (("gold", "gold"), ("a", "ours"), ("b", "baseline"))
    for name in SETS
}
GOLD, A, B = (f"{side}/news.txt" for side in ("gold", "a", "b"))
FOLDERS = {"gold": "gold", "a": "a", "b": "b"}
HAN = "今天下午会下雨。\n我们明天去海边。\n他把书放在桌子上。\n"
SCRIPTS = {
    "gold/zh.txt": HAN,
    "a/zh.txt": HAN.replace("海边", "海滩"),
    "b/zh.txt": HAN.replace("下雨", "有雨").replace("明天", "后天"),
}
DOCUMENTS = {
    f"documents/{name}.docs": "x\tone\n" * 4 + "x\ttwo\n" * 5 + "y\tone\n" * 3 for name in SETS
}

# case -> keys of its block, and its files
CASES = {
    "folders": ({"format": "translations", "files": FOLDERS}, TEXTS),
    "bleu": ({"format": "translations", "metric": "bleu", "files": FOLDERS}, TEXTS),
    "documents": (
        {"format": "translations", "files": FOLDERS | {"documents": "documents"}},
        TEXTS | DOCUMENTS,
    ),
    "files": (
        {"format": "translations", "files": {"gold": "gold.txt", "a": "a.txt", "b": "b.txt"}},
        {f"{side}.txt": TEXTS[f"{side}/news.txt"] for side in ("gold", "a", "b")},
    ),
    "references": (
        {"format": "translations", "files": {"gold": "gold", "a": "a.txt", "b": "b.txt"}},
        {"gold/ref.0": TEXTS[GOLD], "gold/ref.1": TEXTS[GOLD].lower(), "a.txt": TEXTS[A], "b.txt": TEXTS[B]},
    ),
    "script": ({"format": "translations", "metric": "bleu", "tokenize": "zh", "files": FOLDERS}, SCRIPTS),
}  # fmt: skip


def lines(file, change):
    """Change the list of lines of a file."""

    def apply(files, block):
        files[file] = "".join(f"{line}\n" for line in change(files[file].splitlines()))

    return apply


def scores_of(text):
    """The signature of every test set has a part."""
    return lambda whole, broken: (
        [text in said for said in broken["metric"]] == [True] * len(broken) or pytest.fail()
    )


def higher(whole, broken):
    """More references leave no score lower."""
    assert (broken["score_b"] >= whole["score_b"]).all()


def fewer_units(whole, broken):
    assert (broken["units"] < whole["units"]).any()


FAULTS = [
    # segments
    ("a line missing", "folders", lines(A, lambda rows: rows[:-1]), r"a/news\.txt has 11 lines, but .*gold/news\.txt has 12\. A line must hold the same segment in all files of a test set; write an empty line where a system has no output\.$"),
    ("a line too many", "folders", lines(B, lambda rows: [*rows, "More."]), r"b/news\.txt has 13 lines, but .*gold/news\.txt has 12"),
    ("a reference too short", "folders", lines(GOLD, lambda rows: rows[1:]), r"a/news\.txt has 12 lines, but .*gold/news\.txt has 11"),
    ("no output at all", "folders", put(A, ""), r"a/news\.txt is empty; recreate the file\.$"),
    ("blank output", "folders", put(A, "\n" * 12), r"a/news\.txt is empty; recreate the file\.$"),
    ("blank references", "folders", put(GOLD, " \n" * 12), r"gold/news\.txt is empty; recreate the file\.$"),
    ("an empty line of a system", "folders", lines(B, lambda rows: ["", *rows[1:]]), differences("B has no output for 1 of 12 segments of 'news'; they are scored as empty outputs, as in sacrebleu.")),
    ("blanks as output", "folders", lines(B, lambda rows: ["  ", *rows[1:]]), differences("B has no output for 1 of 12 segments")),
    ("an empty line of the reference", "folders", lines(GOLD, lambda rows: [*rows[:4], " ", *rows[5:]]), r"gold/news\.txt, "
    r"line 5 has no reference, but only the output of a system may be empty; leave the segment "
    r"out of all files"),
    ("no newline at the end", "folders", lambda files, block: files.update({A: files[A].rstrip()}), same),
    ("two newlines at the end", "folders", lambda files, block: files.update({GOLD: files[GOLD] + "\n"}), r"line 13 has no reference"),
    ("newlines of Windows", "folders", edit(A, "\n", "\r\n"), same),
    ("blanks at the ends", "folders", edit(A, "\n", " \n"), same),
    ("a separator of lines in a segment", "folders", edit(A, " the ", "\u2028the ", 1), same),
    # encodings and kinds of files
    ("Latin-1", "folders", both(edit(A, "volunteers", "volontés"), recode(A, "latin-1")), r"a/news\.txt, line 4 is not UTF-8 \(byte 0xe9\); save the file in UTF-8"),
    ("a byte-order mark", "folders", recode(GOLD, "utf-8-sig"), same),
    ("UTF-16", "folders", recode(GOLD, "utf-16"), r"gold/news\.txt"),
    ("a column of numbers", "folders", lines(A, lambda rows: [f"{i}\t{row}" for i, row in enumerate(rows)]), r"a/news\.txt has 2 columns on every line, separated by tabs; write one file for each system and reference"),
    ("references side by side", "folders", lines(GOLD, lambda rows: [f"{row}\t{row}\t{row}" for row in rows]), r"gold/news\.txt has 3 columns on every line"),
    ("a tab in a segment", "folders", edit(A, "The bridge", "The\tbridge"), same),
    ("XML of WMT", "folders", lines(GOLD, lambda rows: ['<?xml version="1.0"?>', *rows[1:]]), r"gold/news\.txt is markup; write its segments as plain text, one on each line"),
    ("SGML of WMT", "folders", lines(A, lambda rows: [f'<seg id="{i}">{row}</seg>' for i, row in enumerate(rows)]), r"a/news\.txt is markup"),
    ("lines of JSON", "folders", lines(A, lambda rows: [f'{{"output": "{row}"}}' for row in rows]), r"a/news\.txt is JSON; write its segments as plain text"),
    ("subwords of BPE", "folders", edit(A, "e ", "e@@ "), r"a/news\.txt is split into subwords, such as 'The@@'; join them, because sacrebleu needs detokenised text"),
    ("pieces of SentencePiece", "folders", edit(B, " ", " ▁"), r"b/news\.txt is split into subwords, such as '▁"),
    ("tokenised output", "bleu", edit(B, ".\n", " .\n"), differences("Most lines of B on 'news' end in a space and a full stop, as in tokenised text")),
    # files and folders
    ("a test set without output", "folders", move(A), r"a lacks 'news'\. Every dataset needs a file of the same name in each folder"),
    ("a test set without reference", "folders", move(GOLD), r"gold lacks 'news'"),
    ("a test set without reference is left out", "folders", both(move(GOLD), keys(datasets=["recipes"])), datasets("recipes")),
    ("two references of one name", "folders", put("gold/news.tok", TEXTS[GOLD]), r"gold has both 'news\.tok' and 'news\.txt', which name the same test set; call the references news\.ref\.0, news\.ref\.1 and so on, or keep only one"),
    ("a reference beside numbered ones", "folders", put("gold/news.ref.1.txt", TEXTS[GOLD]), r"gold has both 'news\.ref\.1\.txt' and 'news\.txt'"),
    ("a reference called as WMT does", "folders", move(GOLD, "gold/news.refA.txt"), same),
    ("a second reference", "folders", both(move(GOLD, "gold/news.refA.txt"), put("gold/news.refB.txt", TEXTS[A])), higher),
    ("a second reference that is shorter", "folders", both(move(GOLD, "gold/news.refA.txt"), put("gold/news.refB.txt", "One line.\n")), r"gold/news\.refB\.txt has 1 lines, but .*gold/news\.refA\.txt has 12"),
    ("a folder of references", "folders", both(move(GOLD, "gold/news/first.txt"), put("gold/news/second.txt", TEXTS[A])), higher),
    ("a folder without references", "folders", both(move(GOLD), put("gold/news/.keep", "")), r"gold/news contains no references; add a file, or remove the folder"),
    ("no gold folder", "folders", keys(files=FOLDERS | {"gold": "missing"}), r"missing does not exist"),
    ("a gold file for folders", "folders", both(put("all.txt", TEXTS[GOLD]), keys(files=FOLDERS | {"gold": "all.txt"})), r"all\.txt is a file, but .*a is a folder; replace the file with a folder that contains one file per test set"),
    ("test sets as references", "references", both(move("gold/ref.0", "gold/news.txt"), move("gold/ref.1", "gold/recipes.txt")), r"gold holds 'news\.txt', but each system has one file, for one test set; give the file with its references, a folder that contains only ref\.0, ref\.1"),
    ("an empty folder of references", "references", both(move("gold/ref.0"), move("gold/ref.1", "gold/.ref")), r"gold is empty, but each system has one file, for one test set"),
    ("one reference of two", "references", move("gold/ref.1"), scores_of("nrefs:1")),
    ("no gold", "files", keys(files={"a": "a.txt", "b": "b.txt"}), r"the files are a, b, but the format 'translations' needs a, b, gold; give a file or folder for each"),
    # metrics and tokenizers
    ("an unknown metric", "folders", keys(metric="blue"), r"metric 'blue' is not one of .*did you mean 'bleu'\?"),
    ("TER, of which less is better", "folders", keys(metric="ter"), r"metric 'ter' is not one of chrf, .*did you mean 'neg_ter'\?$"),
    ("an unknown tokenizer", "bleu", keys(tokenize="13b"), r"tokenize '13b' is not one of .*did you mean '13a'\?"),
    ("a language as tokenizer", "bleu", keys(tokenize="de"), r"tokenize 'de' is not one of none, zh, 13a, "),
    ("a tokenizer of chrF", "folders", keys(tokenize="13a"), r"the key 'tokenize' chooses BLEU's tokenizer, but the metric is 'chrf'; leave the key 'tokenize' out\."),
    ("a tokenizer of another test set", "bleu", keys(tokenize={"new": "intl"}), r"the key 'tokenize': test set 'new' is not one of .*did you mean 'news'\?"),
    ("a tokenizer of one test set", "bleu", keys(tokenize={"news": "13a"}), same),
    ("the default by its name", "bleu", keys(tokenize="13a"), same),
    ("a tokenizer of no text", "bleu", keys(tokenize=13), r"a tokenizer must be one of sacrebleu's"),
    ("no blanks and no tokenizer", "script", keys(tokenize=None), r"Test set 'zh': the references "
    r"are in a script without spaces between words. .* choose another with the key 'tokenize', such "
    r"as zh, ja-mecab or char\.$"),
    ("no blanks and TER", "script", keys(tokenize=None, metric="neg_ter"), r"Test set 'zh': .* so "
    r"TER would treat a clause as one word; set the key 'metric' to chrf\.$"),
    ("no blanks and characters", "script", keys(tokenize=None, metric=None), scores_of("chrF2|nrefs:1|")),
    ("a tokenizer of folders of tables", "folders", keys(format="folders", tokenize="13a", columns={"instance": "i", "score": "s"}), r"the key \'tokenize\'.* \'folders\'"),
    # documents
    ("documents of another number", "documents", lines("documents/news.docs", lambda rows: rows[1:]), r"documents/news\.docs has 11 lines, but .*gold/news\.txt has 12"),
    ("a segment of no document", "documents", lines("documents/news.docs", lambda rows: [*rows[:2], "", *rows[3:]]), r"documents/news\.docs, line 3 has no document, but only the output of a system may be empty"),
    ("no documents of a test set", "documents", move("documents/news.docs"), r"documents lacks 'news'"),
    ("one document", "documents", lambda files, block: files.update({"documents/news.docs": "x\n" * 12}), fewer_units),
    ("two documents as one", "documents", edit("documents/news.docs", "y\tone", "x\tone"), fewer_units),
    ("blanks around documents", "documents", edit("documents/news.docs", "\n", "  \n"), same),
    ("documents and another unit", "documents", keys(unit="paragraph"), r"the unit is 'paragraph', but documents are given, so each document is a unit; leave one of the two out"),
    ("documents as unit", "documents", keys(unit="document"), same),
    ("a unit without documents", "folders", keys(unit="document"), r"the unit 'document' is a column of a table, but the format is 'translations'; leave it out, or give a file with the key 'documents'"),
    ("documents of another format", "documents", keys(format="labels", metric=None), r"the files are a, b, documents, gold, but the format 'labels' needs a, b, gold"),
    ("documents and a test of segments", "documents", keys(test="wilcoxon"), r"the test 'wilcoxon' needs a score for each item, but item scores are summed within the unit 'document'"),
]  # fmt: skip


def quick(files, block):
    """Let few resamples be drawn, unless a test without any is named."""
    if block.get("test") != "wilcoxon":
        block["options"] = {"n_resamples": 999}


whole = faults.whole(functools.partial(prepare, change=quick, cases=CASES), evaluated)


@pytest.mark.parametrize("case", CASES)
def test_every_case_is_whole(whole, case):
    assert whole(case)["p_value"].between(0, 1).all()
    assert (whole(case)["score_a"] > whole(case)["score_b"]).all()
    assert whole(case)["metric"].str.contains(r"\|nrefs:\d\|").all()


@faults.each(FAULTS)
def test_fault(tmp_path, whole, case, change, expected):
    study_file = prepare(tmp_path, case, both(change, quick), cases=CASES)
    faults.check(expected, lambda: whole(case), lambda: evaluated(study_file))


def test_the_names_of_faults_differ():
    names = [row[0] for row in FAULTS]
    assert len(names) == len(set(names))


# --- on the command line -------------------------------------------------------------------------

ASKED = [
    ("no gold", [], r"^The format 'translations' holds outputs, which must be compared with gold files; specify these with --gold\.$"),
    ("a unit without documents", ["--gold", "gold", "--unit", "document"], r"^the unit 'document' is a column .*give a file with --documents\.$"),
    ("an unknown tokenizer", ["--gold", "gold", "--metric", "bleu", "--tokenize", "zhh"], r"^tokenize 'zhh' is not one of .*did you mean 'zh'\?$"),
    ("a tokenizer of another test set", ["--gold", "gold", "--metric", "bleu", "--tokenize", "new=zh"], r"--tokenize: test set 'new' is not one of .*did you mean 'news'\?$"),
    ("a tokenizer that is not installed", ["--gold", "gold", "--metric", "bleu", "--tokenize", "ja-mecab"], r"^The tokenizer 'ja-mecab' cannot be loaded \(.*\); install the packages that it needs, or choose another tokenizer with --tokenize\.$"),
    ("documents of tables", ["--documents", "gold", "--format", "folders"], r"^--documents.* 'folders'"),
    ("a tokenizer of tables", ["--tokenize", "zh", "--format", "folders"], r"^--tokenize .*, but only in the format translations, not in 'folders'"),
]  # fmt: skip


def asked(monkeypatch, capsys, *arguments):
    """Ask the command line in the folder of the sample."""
    monkeypatch.chdir(SAMPLE)
    code = cli.main(["compare", "ours", "baseline", *arguments])
    said = capsys.readouterr()
    told = [line for line in said.err.splitlines() if not line.startswith("Read ")]
    return code, said.out, "\n".join(told)


@pytest.mark.parametrize(
    ("arguments", "message"), [row[1:] for row in ASKED], ids=[row[0] for row in ASKED]
)
def test_what_compare_refuses(monkeypatch, capsys, arguments, message):
    if "ja-mecab" in arguments:
        monkeypatch.setitem(sys.modules, "MeCab", None)
        monkeypatch.delitem(sys.modules, "sacrebleu.tokenizers.tokenizer_ja_mecab", raising=False)
    code, out, error = asked(monkeypatch, capsys, *arguments)
    assert (code, out) == (1, "")
    assert re.search(message, error)
    assert "\n" not in error


def test_without_sacrebleu_there_is_a_sentence(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "sacrebleu.metrics", None)
    code, _, error = asked(monkeypatch, capsys, "--gold", "gold")
    assert code == 1
    assert error == (
        "chrF is computed with sacrebleu, which is not installed; run pip install sacrebleu."
    )


@pytest.mark.slow
def test_translations_are_told_and_documents_are_units(tmp_path, monkeypatch, capsys):
    for name in ("news", "recipes", "letters"):
        (tmp_path / f"{name}.docs").write_text("".join(f"d{i // 3}\n" for i in range(12)))
    arguments = ("--gold", "gold", "--documents", str(tmp_path), "--json")
    code, out, error = asked(monkeypatch, capsys, *arguments)
    assert (code, error) == (0, "")
    assert '"unit": "document"' in out
    assert out.count('"units": 4') == 3
    assert "chrF2|nrefs:2|case:mixed|eff:yes|nc:6|nw:0|space:no|version:" in out
    assert "The unit of analysis is 'document'" in out


def test_sides_are_the_same_when_swapped(tmp_path):
    """A and B change places."""
    exchange = keys(files=FOLDERS | {"a": "b", "b": "a"}, options={"n_resamples": 999})
    for folder in ("there", "back"):
        (tmp_path / folder).mkdir()
    there = evaluated(prepare(tmp_path / "there", "folders", quick, CASES))
    back = evaluated(prepare(tmp_path / "back", "folders", exchange, CASES))
    for one, other in (("p_value", "p_reverse"), ("score_a", "score_b")):
        np.testing.assert_array_equal(there[one], back[other])
