"""Tables for LaTeX: columns by name, scores in per cent, decimals, and the width of a column."""

import re

import numpy as np
import pandas as pd
import pytest

import replicability as rep
from replicability.checks import InputError
from replicability.show import latex_width


def compared(n=15, scale=1.0, names=("Stanford", "Uppsala")):
    rng = np.random.default_rng(3)
    rows = [
        (f"GUM genre {d}", i, *(scale * (rng.random() < share) for share in (0.8, 0.7)))
        for d in range(n)
        for i in range(60)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "instance", *names])
    return rep.compare(frame, a=names[0], b=names[1], dependence="independent")


@pytest.fixture(scope="module")
def result():
    return compared()


def head(text):
    line = (
        text[text.index(r"\toprule") : text.index(r"\midrule")].splitlines()[1].removesuffix(r" \\")
    )
    return [re.sub(r"\\shortstack\[.\]\{(.*)\}", r"\1", cell) for cell in line.split(" & ")]


def plain(cell):
    cell = cell.replace(r"\textless{}", "<").replace(r"\textgreater{}", ">")
    return re.sub(r"\\text\w+\{\}", "x", cell).replace("\\", "")


def measured(text):
    """Measure a table as it was written, by the estimate of its letters."""
    size = float(re.search(r"\\fontsize\{(\d+)\}", text)[1])
    rows = text[text.index(r"\midrule") : text.index(r"\bottomrule")].splitlines()[1:]
    cells = [row.removesuffix(r" \\").split(" & ") for row in [*rows]]
    heads = [cell.removesuffix(r" \\").split(r"\\") for cell in head(text)]
    ends = [
        max(latex_width.ems(plain(part)) for part in (*heads[place], *column))
        for place, column in enumerate(zip(*cells, strict=True))
    ]
    return (size * sum(ends) + latex_width.GAP * (len(ends) - 1)) / latex_width.POINTS


@pytest.mark.parametrize(("width", "most"), [("column", 3.03), ("text", 6.3)])
@pytest.mark.parametrize("columns", [(), ("dataset", "score_a", "score_b", "p_value")])
def test_a_table_fits_its_width(result, width, most, columns):
    text = result.to_latex(columns, width=width)
    assert measured(text) <= most
    assert text.count(r"\begin{table*}") == (width == "text")
    assert text.count(r"\toprule") == text.count(r"\bottomrule") == 1
    assert text.count("{") == text.count("}")
    cells = {row.count("&") for row in text.splitlines() if row.endswith(r"\\")}
    assert cells == {len(head(text)) - 1}
    assert not re.search(r"(?<!\\)[%_#$]", text)
    if columns:
        assert len(head(text)) == len(columns)


def test_more_columns_are_kept_where_there_is_more_room(result):
    narrow, wide = (head(result.to_latex(width=width)) for width in ("column", "text"))
    assert len(narrow) < len(wide)
    assert {"dataset", "named"} <= set(narrow)
    notes = [
        result.to_latex(width=width).count("applies to each interval")
        for width in ("column", "text")
    ]
    assert notes == [0, 1]


def test_columns_are_chosen_by_name_in_their_order(result):
    text = result.to_latex(["named", "dataset", "p (Stanford better)"])
    assert head(text)[:2] == ["named", "dataset"]
    assert "p (Stanford better)" in text
    assert "Uppsala &" not in text
    with pytest.raises(InputError, match="This table has no column 'speed'; choose from dataset"):
        result.to_latex(["speed"])


def test_scores_in_per_cent_and_decimals(result):
    cells = result.to_latex(["dataset", "score_a", "difference"], percent=True)
    first = re.search(r"GUM genre 0 & ([\d.]+) & ([+-][\d.]+) ", cells).groups()
    assert float(first[0]) == pytest.approx(100 * result.table["score_a"][0], abs=0.05)
    assert float(first[1]) == pytest.approx(100 * result.table["difference"][0], abs=0.05)
    assert result.table["score_a"].max() <= 1
    rounded = result.to_latex(["dataset", "score_a"], percent=True, digits=0)
    assert re.search(r"GUM genre 0 & \d+ \\", rounded)
    with pytest.raises(InputError):
        result.to_latex(digits=-1)
    with pytest.raises(InputError, match=r"these reach 5.71667; leave out percent"):
        compared(3, scale=7.0).to_latex(percent=True)


def test_what_cannot_fit_is_refused_with_a_remedy():
    long = compared(3, names=("a-very-long-name-of-a-model-" * 4, "other"))
    with pytest.raises(InputError, match=r"choose fewer columns .* or shorten names"):
        long.to_latex(["dataset", "score_a"], width="column")
    with pytest.raises(InputError, match="width"):
        long.to_latex(width="page")


def test_p_values_alone_and_families(result):
    counted = rep.count({"news": 0.001, "<law>": 0.01, "talks_%": 0.5}, a="ours", b="base")
    assert measured(counted.to_latex(width="column")) <= 3.03
    assert counted.to_latex(percent=True) == counted.to_latex()
    frame = result.table[["dataset"]].merge(pd.DataFrame({"i": range(30)}), how="cross")
    rng = np.random.default_rng(1)
    for place, name in enumerate("xyz"):
        frame[name] = (rng.random(len(frame)) < 0.5 + place / 10).astype(int)
    family = rep.all_pairs(frame.rename(columns={"i": "instance"}), dependence="independent")
    text = family.to_latex(width="column")
    assert text.count(r"\begin{table}") == 2
