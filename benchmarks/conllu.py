"""Time reading and scoring CoNLL-U beside reading the bytes and beside one object per word.

Run as ``python benchmarks/conllu.py``: prints a Markdown table of medians of 5 and ratios, for a
synthetic treebank and a system that errs on it. With a folder of treebanks as argument, it times
the files in its subfolders against those of the same name in its subfolder ``00-gold-standard``,
as the CoNLL 2018 shared task names them.
"""

import sys
import tempfile
import time
import unicodedata
from pathlib import Path

import numpy as np
from counting import medians

from replicability.io import conllu

N_SENTENCES = 2000


class Word:
    """One word of the peer, with its columns and its span of the text."""

    def __init__(self, columns, start, end):
        self.columns = columns
        self.start = start
        self.end = end
        self.relation = columns[7].split(":")[0]
        self.head = None


def read_in_python(path):
    """Return the words of a file without multi-word tokens as objects."""
    words, sentence, position = [], [], 0
    with path.open(encoding="utf-8") as file:
        for line in file:
            line = line.rstrip("\r\n")
            if line.startswith("#"):
                continue
            if line:
                columns = line.split("\t")
                form = "".join(c for c in columns[1] if unicodedata.category(c) != "Zs")
                sentence.append(Word(columns, position, position + len(form)))
                position += len(form)
                continue
            for word in sentence:
                head = int(word.columns[6])
                word.head = sentence[head - 1] if head else None
            words += sentence
            sentence = []
    return words


def score_in_python(gold, system):
    """Return the numbers of words right by UPOS, UAS and LAS."""
    pairs, i, j = {}, 0, 0
    while i < len(gold) and j < len(system):
        if (gold[i].start, gold[i].end) == (system[j].start, system[j].end):
            pairs[system[j]] = gold[i]
            i, j = i + 1, j + 1
        elif gold[i].start <= system[j].start:
            i += 1
        else:
            j += 1
    upos = uas = las = 0
    for theirs, ours in pairs.items():
        head = None if theirs.head is None else pairs.get(theirs.head, theirs)
        upos += ours.columns[3] == theirs.columns[3]
        uas += ours.head is head
        las += ours.head is head and ours.relation == theirs.relation
    return upos, uas, las


def synthetic(folder, rng):
    """Write a gold treebank and the output of a system; return both paths."""
    tags = np.array(["NOUN", "VERB", "ADJ", "PRON", "DET", "ADP", "PUNCT", "ADV"])
    relations = np.array(
        ["nsubj", "obj", "obl", "nmod:poss", "det", "case", "punct", "advmod", "amod", "conj"]
    )
    gold, system = [], []
    for number in range(N_SENTENCES):
        n = int(rng.integers(3, 30))
        heads = [0, *(int(rng.integers(1, i)) for i in range(2, n + 1))]
        guess = [0, *(int(rng.integers(1, i)) for i in range(2, n + 1))]
        guess = np.where(rng.random(n) < 0.8, heads, guess)
        upos, deprel = rng.choice(tags, (2, n)), rng.choice(relations, (2, n))
        forms = ["".join(rng.choice([*"etaoinshr"], size)) for size in rng.integers(1, 9, n)]
        gold.append(f"# sent_id = synthetic-{number}\n# text = {' '.join(forms)}\n")
        for side, heads_, k in ((gold, heads, 0), (system, guess, 1)):
            side.extend(
                f"{i + 1}\t{form}\t{form}\t{upos[k, i]}\tXX\tCase=Nom|Number=Sing\t{heads_[i]}\t"
                f"{deprel[k, i]}\t_\t_\n"
                for i, form in enumerate(forms)
            )
            side.append("\n")
    paths = [folder / "gold.conllu", folder / "system.conllu"]
    for path, lines in zip(paths, (gold, system), strict=True):
        path.write_text("".join(lines), encoding="utf-8")
    return paths


def compare(gold_path, system_path):
    """Print the rows for one treebank without multi-word tokens."""
    gold, system = conllu.read(gold_path), conllu.read(system_path)
    words, output = read_in_python(gold_path), read_in_python(system_path)
    agreement = conllu.agreement(gold, system)
    found = tuple(int(right.sum()) for right in (agreement.upos, agreement.uas, agreement.las))
    if found != score_in_python(words, output):
        raise SystemExit(f"the two ways differ on {system_path}")
    times = medians(
        {
            "read_bytes and decode": lambda: system_path.read_bytes().decode(),
            "conllu.read": lambda: conllu.read(system_path),
            "conllu.agreement, per_sentence": lambda: conllu.per_sentence(
                gold, conllu.agreement(gold, system)
            ),
            "an object per word: read": lambda: read_in_python(system_path),
            "an object per word: score": lambda: score_in_python(words, output),
        }
    )
    floor, read, score, slow_read, slow_score = times.values()
    times["conllu, both"] = read + score
    times["an object per word, both"] = slow_read + slow_score
    print(f"\n{len(system):,} words, {system_path.stat().st_size / 1e6:.1f} MB\n")
    print("| what | median | ratio to reading the bytes | ratio to conllu, both |")
    print("| --- | ---: | ---: | ---: |")
    for name, seconds in times.items():
        print(
            f"| {name} | {seconds * 1e3:,.1f} ms | {seconds / floor:,.1f} "
            f"| {seconds / (read + score):,.2f} |"
        )


def folder(root):
    """Print the time to score all outputs in the folder of a shared task."""
    start, files, n_words = time.perf_counter(), 0, 0
    for gold_path in sorted((root / "00-gold-standard").glob("*.conllu")):
        gold = conllu.read(gold_path)
        for path in sorted(root.glob(f"*/{gold_path.name}")):
            if not path.parent.name.startswith("0"):
                system = conllu.read(path)
                conllu.per_sentence(gold, conllu.agreement(gold, system))
                files, n_words = files + 1, n_words + len(system)
    seconds = time.perf_counter() - start
    print(f"\n{files} outputs, {n_words:,} words: {seconds:.1f} s")


def main():
    """Print every table."""
    with tempfile.TemporaryDirectory() as temporary:
        compare(*synthetic(Path(temporary), np.random.default_rng(1)))
    for argument in sys.argv[1:]:
        folder(Path(argument))


if __name__ == "__main__":
    main()
