"""What people write, checked by mypy, which `make lint` runs, and run by test_usage.py."""

from pathlib import Path

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

import replicability as rep


def frames(folder: Path) -> str:
    """Compare two systems of a frame, and keep what was found."""
    data = pd.DataFrame({"dataset": ["news"] * 8, "ours": [1] * 8, "base": [0] * 7 + [1]})
    result: rep.Result = rep.compare(data, a="ours", b="base", dependence="independent")
    table: pd.DataFrame = result.table
    figure: Figure = result.figure()
    page: Path = result.report(folder / "page.html")
    drawn: Figure = rep.save(result.figure(), folder, "figure")
    shown: rep.Table = rep.save(result.summary(), folder, "table")
    whole: int = rep.bounds(result, ["news"])
    parts: dict[str, int] = result.bounds({"written": ["news"]})
    k: int = result.k
    named: list[str] = result.named
    assert drawn.axes and shown.caption
    assert len(table) == 1 and figure.axes and page.exists() and whole == k == parts["written"]
    assert named == ["news"]
    return f"{result}\n{result.method}\n{result.to_latex()}\n{result.to_markdown()}"


def arrays() -> tuple[str, str]:
    """Compare arrays, in both directions."""
    scores = {"news": (np.ones(9), np.zeros(9)), "law": ([1, 1, 0], [0, 1, 0])}
    forth, back = rep.compare(scores, alpha=[0.05, 0.01]).both()
    return str(forth), str(back)


def pvalues() -> list[str]:
    """Count p-values."""
    try:
        return rep.count({"news": 0.001, "law": 0.04}, dependence="positive").named
    except rep.InputError as error:
        return [str(error)]


def systems() -> pd.DataFrame:
    """Compare all pairs of three systems."""
    family: rep.Family = rep.all_pairs(pd.DataFrame({"x": [1] * 9, "y": [0] * 9, "z": [0] * 9}))
    return family.counts(jointly=False)
