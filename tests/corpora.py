"""Small corpora, in two columns and in CoNLL-U."""

TWO_COLUMNS = """\
# sent_id = a
the\tDT
#\t#
dog\tNN

# sent_id = b
it\tPRP
barks\tVBZ
"""

CONLLU = """\
# newdoc id = d
# sent_id = a
# text = Im Haus
1-2\tIm\t_\t_\t_\t_\t_\t_\t_\tSpaceAfter=No
1\tIn\tin\tADP\tAPPR\t_\t3\tcase\t_\t_
2\tdem\tder\tDET\tART\t_\t3\tdet\t_\t_
3\tHaus\tHaus\tNOUN\tNN\tCase=Dat\t0\troot\t_\tGloss=house
3.1\tist\tsein\tAUX\t_\t_\t_\t_\t_\t_

# sent_id = b
1\tJa\tja\tINTJ\tITJ\t_\t0\troot\t_\t_
"""


def corpus(n, documents=1, categories=1):
    """Return a file with two columns of n sentences, with documents in categories."""
    lines = []
    for i in range(n):
        if i * documents % n < documents:
            document = i * documents // n
            lines += [f"# newdoc id = d{document}", f"# category = c{document % categories}"]
        lines += [f"# sent_id = d{i * documents // n}/{i}", f"w{i % 7}\tA", f"v{i % 5}\tB", ""]
    return "\n".join([*lines, ""])
