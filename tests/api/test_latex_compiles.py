"""Tables that fit a column by our estimate of letters also fit one that LaTeX sets."""

import re
import shutil
import subprocess

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability import checks

pytestmark = [
    pytest.mark.long,
    pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed"),
]

COLUMNS = [("column", 219), ("column", 252), ("text", 455)]
"""Width, and points: a column of ACL, one of IEEE, and the text of ACL."""

FONTS = {"Computer Modern": "", "Times": r"\usepackage{times}"}


def frame(n, systems, items=60):
    rng = np.random.default_rng(n)
    rows = [
        (f"GUM <5% & a_{d}", i, *(int(rng.random() < 0.9 - 0.1 * s) for s in order))
        for d in range(n)
        for i in range(items)
        for order in [range(len(systems))]
    ]
    return pd.DataFrame(rows, columns=["dataset", "instance", *systems])


def pair(n):
    names = ["Stanford", "UDPipe-Future"]
    return rep.compare(frame(n, names), a=names[0], b=names[1], dependence="independent")


def family():
    names = ["Stanford", "Uppsala", "UDPipe-Future", "HIT_SCIR"]
    return rep.all_pairs(frame(15, names), dependence="independent")


def plan():
    return rep.design([100, 200, 1000], discordant=0.2, gains=[0.02, 0.05], reach=2, power=0.7)


def complaints(text, points, fonts, folder):
    """Set tables in a column of so many points; return what LaTeX says of them."""
    lines = [
        r"\documentclass[10pt]{article}\usepackage[T1]{fontenc}\usepackage[utf8]{inputenc}",
        rf"\usepackage{{textcomp,booktabs}}{fonts}\setlength{{\textwidth}}{{{points}pt}}",
        r"\begin{document}",
        text.replace("table*", "table"),
        r"\end{document}",
    ]
    (folder / "table.tex").write_text("\n".join(lines), encoding="utf-8")
    call = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "table.tex"]
    done = subprocess.run(call, cwd=folder, capture_output=True, check=False)
    log = (folder / "table.log").read_text(encoding="utf-8", errors="replace")
    assert done.returncode == 0, log[-2000:]
    return re.findall(r"^(?:Overfull \\hbox|! |LaTeX Font Warning: Some).*", log, re.MULTILINE)


@pytest.mark.parametrize("fonts", FONTS)
@pytest.mark.parametrize(("width", "points"), COLUMNS)
@pytest.mark.parametrize("made", [3, 9, 30, family, plan])
def test_tables_fit_where_they_are_set(made, width, points, fonts, tmp_path):
    tables = pair(made) if isinstance(made, int) else made()
    assert complaints(tables.to_latex(width=width), points, FONTS[fonts], tmp_path) == []


@pytest.mark.parametrize("fonts", FONTS)
def test_chosen_columns_fit_in_per_cent(fonts, tmp_path):
    chosen = ["dataset", "score_a", "score_b", "p_value"]
    text = pair(9).to_latex(chosen, percent=True, digits=1, width="column")
    assert complaints(text, 219, FONTS[fonts], tmp_path) == []


def test_a_table_that_is_too_wide_is_noticed(tmp_path):
    assert "too wide" in complaints(pair(9).to_latex(), 219, "", tmp_path)[0]
    with pytest.raises(checks.InputError, match="width"):
        plan().to_latex(width="page")
