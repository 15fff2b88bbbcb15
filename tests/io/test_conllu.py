"""Reading CoNLL-U, and agreement as the CoNLL 2018 shared task counts it."""

from itertools import pairwise

import numpy as np
import pytest

from replicability.checks import InputError
from replicability.io import conllu

COUNTS = ("words", "aligned", "upos", "uas", "las")


def lines(*words):
    """Write words of one sentence, each "ID FORM UPOS HEAD DEPREL", or "ID FORM" for a range."""
    text = ""
    for word in words:
        identifier, form, upos, head, deprel = (word.split(" ") + ["_"] * 3)[:5]
        text += f"{identifier}\t{form}\t_\t{upos}\t_\t_\t{head}\t{deprel}\t_\t_\n"
    return text + "\n"


DOG = ["1 Dogs NOUN 2 nsubj", "2 bark VERB 0 root", "3 . PUNCT 2 punct"]
GOLD = lines(
    "1-2 Vámonos",
    "1 Vamos VERB 0 root",
    "2 nos PRON 1 expl:pv",
    "3-4 al",
    "3 a ADP 5 case",
    "4 el DET 5 det",
    "5 mar NOUN 1 obl",
) + lines("1 Ya ADV 2 advmod", "2 llegué VERB 0 root")

# Each of the numbers of words, and of those aligned, right by UPOS, UAS and LAS, is the output of
# the official script, version 1.2 (repository ufal/conll2018, 1a2c3733b3ce):
#     evaluation = evaluate(load_conllu_file("gold.conllu"), load_conllu_file("system.conllu"))
#     [evaluation[key].correct for key in ("Words", "UPOS", "UAS", "LAS")]
OUTPUTS = {
    "the same words, other cases and subtypes": (
        lines(
            "1-2 Vámonos",
            "1 vamos VERB 0 root",
            "2 NOS PRON 1 expl",
            "3-4 al",
            "3 a ADP 5 case:x",
            "4 el PRON 5 det",
            "5 mar NOUN 2 obl",
        )
        + lines("1 Ya ADV 2 mark", "2 llegué VERB 0 root"),
        (7, 7, 6, 6, 5),
    ),
    "no multi-word tokens": (
        lines("1 Vámonos VERB 0 root", "2 al ADP 3 case", "3 mar NOUN 1 obl")
        + lines("1 Ya ADV 2 advmod", "2 llegué VERB 0 root"),
        (5, 3, 3, 2, 2),
    ),
    "one of them, split otherwise": (
        lines(
            "1-3 Vámonos",
            "1 nos PRON 2 expl",
            "2 vamos VERB 0 root",
            "3 nos PRON 2 expl",
            "4 a ADP 6 case",
            "5 l DET 6 det",
            "6 mar NOUN 2 obl",
        )
        + lines("1 Ya ADV 2 advmod", "2 llegué VERB 0 root"),
        (8, 6, 6, 6, 6),
    ),
    "a token across the border of a gold token and of a sentence": (
        lines(
            "1 Vámon VERB 6 ccomp",
            "2-4 osal",
            "2 nos PRON 1 expl",
            "3 a ADP 5 case",
            "4 el DET 1 det",
            "5 marYa NOUN 1 obl",
            "6 llegué VERB 0 root",
        ),
        (6, 4, 4, 1, 1),
    ),
}


def counts(gold, system):
    agreement = conllu.agreement(gold, system)
    return [agreement.system_words, *(getattr(agreement, m).sum() for m in conllu.METRICS)]


@pytest.mark.parametrize("case", OUTPUTS)
def test_counts_are_those_of_the_official_script(write, case):
    text, expected = OUTPUTS[case]
    gold, system = (
        conllu.read(write("gold.conllu", GOLD)),
        conllu.read(write("system.conllu", text)),
    )
    assert tuple(counts(gold, system)) == expected


def test_a_treebank_agrees_with_itself(write):
    gold = conllu.read(write("gold.conllu", GOLD))
    assert counts(gold, gold) == [7] * 5
    np.testing.assert_array_equal(conllu.align(gold, gold), np.arange(7))


def test_fields(write):
    text = f"# sent_id = first one \r\n# text = x\r\n{GOLD}".replace("\n\n1 Ya", "\n\n# c\n1 Ya")
    gold = conllu.read(write("gold.conllu", text))
    assert gold.text == "VámonosalmarYallegué"
    assert gold.start.tolist() == [0, 0, 7, 7, 9, 12, 14]
    assert gold.end.tolist() == [7, 7, 9, 9, 12, 14, 20]
    assert gold.multiword.tolist() == [0, 0, 1, 1, -1, -1, -1]
    assert gold.form.to_pylist() == ["Vamos", "nos", "a", "el", "mar", "Ya", "llegué"]
    assert [gold.upos_labels[code] for code in gold.upos[:4]] == ["VERB", "PRON", "ADP", "DET"]
    assert [gold.deprel_labels[code] for code in gold.deprel[:3]] == ["root", "expl", "case"]
    assert gold.head.tolist() == [-1, 0, 4, 4, 0, 6, -1]
    assert gold.sentence.tolist() == [0] * 5 + [1] * 2
    assert gold.first_word.tolist() == [0, 5]
    assert gold.line.tolist() == [4, 5, 7, 8, 9, 11, 12]
    assert gold.sent_id == ("first one", "s2")
    assert gold.document == ("", "")
    assert len(gold) == 7


@pytest.mark.parametrize(
    ("comments", "documents"),
    [
        (["", "", ""], ("", "", "")),
        (["# newdoc id = a b \n", "", "#newdoc id=c\n"], ("a b", "a b", "c")),
        (["", "# newdoc\n", "# newdoc\n"], ("d1", "d2", "d3")),
        (["# newdoc\n# sent_id = x\n", "", "# newdoc\n"], ("d1", "d1", "d2")),
        (["# newdoc id = a\n", "# newdocs\n# newdoc of\n", ""], ("a", "a", "a")),
    ],
)
def test_documents_begin_at_their_comments(write, comments, documents):
    text = "".join(comment + lines("1 a X 0 root") for comment in comments)
    assert conllu.read(write("gold.conllu", text)).document == documents


def test_spaces_in_forms_and_empty_nodes_do_not_count(write):
    gold = conllu.read(write("gold.conllu", lines("1 20000 NUM 0 root", "2 km NOUN 1 flat")))
    system = lines("1 20~000 NUM 0 root", "2 k\u00a0m NOUN 1 flat", "2.1 e").replace("~", " ")
    system = conllu.read(write("system.conllu", system))
    assert system.text == "20000km"
    assert counts(gold, system) == [2] * 5


def test_per_sentence(write):
    gold = conllu.read(write("gold.conllu", GOLD))
    text, _ = OUTPUTS["the same words, other cases and subtypes"]
    agreement = conllu.agreement(gold, conllu.read(write("system.conllu", text)))
    found = conllu.per_sentence(gold, agreement)
    expected = {"words": [5, 2], "aligned": [5, 2], "upos": [4, 2], "uas": [4, 2], "las": [4, 1]}
    assert {name: values.tolist() for name, values in found.items()} == expected


def test_f1():
    assert conllu.f1(3, 4, 6) == pytest.approx(0.6)
    np.testing.assert_allclose(conllu.f1([0, 2], 2, 2), [0, 1])


def longest_common(a, b):
    """Return the length of the longest common subsequence by its definition."""
    if not a or not b:
        return 0
    if a[0] == b[0]:
        return 1 + longest_common(a[1:], b[1:])
    return max(longest_common(a[1:], b), longest_common(a, b[1:]))


def test_words_of_a_token_align_by_a_longest_common_subsequence(write):
    rng = np.random.default_rng(3)
    for _ in range(30):
        sides = [[str(form) for form in rng.choice([*"abc"], rng.integers(1, 8))] for _ in "gs"]
        banks = []
        for forms in sides:
            words = [f"{i} {form} X {i - 1} dep" for i, form in enumerate(forms, 1)]
            text = lines(f"1-{len(forms)} token", *words)
            banks.append(conllu.read(write("a.conllu", text)))
        partner = conllu.align(*banks)
        pairs = [(g, s) for g, s in enumerate(partner) if s >= 0]
        assert all(g < h and s < t for (g, s), (h, t) in pairwise(pairs))
        assert all(sides[0][g] == sides[1][s] for g, s in pairs)
        assert len(pairs) == longest_common(*sides)


def sentence(*replaced):
    """Return the lines of a good sentence, some of them replaced."""
    words = [*DOG]
    for index, word in replaced:
        words[index] = word
    return lines(*words)


REFUSED = {
    "empty": ("", r"is empty; give a treebank"),
    "comments only": ("# sent_id = 1\n", r"is empty"),
    "truncated": (lines(*DOG)[:-1], r" ends in the middle of a sentence, at line 3;"),
    "cut in a line": (lines(*DOG)[:-12], r" ends in the middle of a sentence, at line 3;"),
    "columns": ("# c\td\n" + lines(*DOG).replace("\tVERB", ""), r"line 3 has 9 columns"),
    "spaces for tabs": (
        lines(*DOG).replace("\t", " "),
        r"line 1 has 1 columns, but a word needs 10",
    ),
    "comment": (lines(*DOG).replace("2\tbark", "# c\n2\tbark"), r"line 2 is a comment inside"),
    "no words": (lines(*DOG) + "\n", r"line 5 is blank, but no sentence ends there"),
    "empty nodes only": (lines("1.1 e"), r"line 2 ends a sentence without words"),
    "ID": (
        sentence((1, "two bark VERB 0 root")),
        r"line 2 has ID 'two', but an ID must be a number",
    ),
    "skipped": (sentence((1, "3 bark VERB 0 root")), r"line 2 has ID 3, but the next ID is 2"),
    "head": (
        sentence((0, "1 Dogs NOUN _ nsubj")),
        r"line 1 has HEAD '_', but a head must be the ID",
    ),
    "negative": (sentence((0, "1 Dogs NOUN -1 nsubj")), r"line 1 has HEAD '-1'"),
    "outside": (sentence((0, "1 Dogs NOUN 4 nsubj")), r"HEAD 4, but its sentence has 3 words"),
    "huge": (sentence((0, f"1 Dogs NOUN {'9' * 50} nsubj")), r"but its sentence has 3 words"),
    "cycle": (sentence((1, "2 bark VERB 1 root")), r"line 1 is part of a cycle"),
    "own head": (sentence((2, "3 . PUNCT 3 punct")), r"line 3 is part of a cycle"),
    "roots": (sentence((2, "3 . PUNCT 0 punct")), r"line 2 is one of 2 roots of its sentence"),
    "form": (lines(*DOG).replace("Dogs", " "), r"line 1 has an empty FORM"),
    "no form": (lines(*DOG).replace("Dogs", ""), r"line 1 has an empty FORM"),
    "range too long": (lines(*DOG[:2], "3-4 .", DOG[2]), r"line 3 has the multi-word token 3-4"),
    "range backward": (lines("2-1 Dogs", *DOG), r"line 1 has the multi-word token 2-1"),
    "range late": (lines(*DOG[:2], "2-3 x", DOG[2]), r"line 3 has the multi-word token 2-3"),
    "ranges overlap": (
        lines("1-2 Db", DOG[0], "2-3 b.", *DOG[1:]),
        r"token 2-3, but a range must come before",
    ),
}


@pytest.mark.parametrize("case", REFUSED)
def test_bad_files_are_refused(write, case):
    text, message = REFUSED[case]
    with pytest.raises(InputError, match=rf"bad\.conllu.*{message}"):
        conllu.read(write("bad.conllu", text))


def test_a_cycle_that_no_root_reaches_is_found_in_a_long_sentence(write):
    words = [f"{i} w X {i - 1} dep" for i in range(1, 1001)]
    assert conllu.read(write("chain.conllu", lines(*words))).head[-1] == 998
    words[499] = "500 w X 1000 dep"
    with pytest.raises(InputError, match="line 500 is part of a cycle"):
        conllu.read(write("chain.conllu", lines(*words)))


def test_other_encodings_and_missing_files_are_refused(tmp_path):
    path = tmp_path / "latin.conllu"
    path.write_bytes(lines(*DOG, "4 é X 2 dep").encode("latin-1"))
    with pytest.raises(InputError, match=r"latin\.conllu, line 4 is not UTF-8 \(byte 0xe9\)"):
        conllu.read(path)
    with pytest.raises(InputError, match=r"cannot be read \(No such file"):
        conllu.read(tmp_path / "missing.conllu")


def test_other_texts_are_refused(write):
    gold = conllu.read(write("gold.conllu", GOLD))
    other = conllu.read(write("other.conllu", GOLD.replace("llegué", "llamé")))
    message = (
        r"other\.conllu, line 10 has 'amé', but .*gold\.conllu, line 10 has 'egué'\. The texts"
    )
    with pytest.raises(InputError, match=message):
        conllu.agreement(gold, other)
    shorter = conllu.read(write("shorter.conllu", GOLD[: GOLD.index("1\tYa")]))
    message = r"shorter\.conllu, at its end, has no more characters, but .*line 9 has 'Yallegué'"
    with pytest.raises(InputError, match=message):
        conllu.agreement(gold, shorter)


# F1 in per cent for words, UPOS, UAS and LAS by the official script, version 1.2:
#     ["%.2f" % (100 * evaluation[key].f1) for key in ("Words", "UPOS", "UAS", "LAS")]
OFFICIAL = {
    ("he_htb", "HIT-SCIR-18"): ["85.16", "83.03", "70.27", "67.05"],
    ("he_htb", "ONLP-lab"): ["85.16", "80.87", "63.19", "55.94"],
    ("he_htb", "Stanford-18"): ["93.98", "91.36", "80.04", "76.09"],
    ("he_htb", "Uppsala-18"): ["90.98", "80.26", "72.42", "67.72"],
    ("kk_ktb", "Stanford-18"): ["79.45", "49.24", "29.40", "17.55"],
    ("zh_gsd", "Uppsala-18"): ["93.52", "89.15", "72.90", "69.17"],
}


@pytest.mark.parametrize(("treebank", "system"), OFFICIAL)
def test_f1_of_submissions_is_that_of_the_official_script(mirror, treebank, system):
    root = mirror("conll2018_he_htb", "conll2018_kk_ktb", "conll2018_zh_gsd")
    (folder,) = root.glob("pkolachi/depparse-conll-data/*/official-submissions")
    gold = conllu.read(folder / "00-gold-standard" / f"{treebank}.conllu")
    agreement = conllu.agreement(gold, conllu.read(folder / system / f"{treebank}.conllu"))
    correct = [getattr(agreement, metric).sum() for metric in conllu.METRICS]
    found = conllu.f1(correct, len(gold), agreement.system_words)
    assert [f"{100 * value:.2f}" for value in found] == OFFICIAL[treebank, system]
