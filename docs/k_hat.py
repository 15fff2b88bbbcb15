"""The five p-values of ``k_hat.md``, and their figure: ``python docs/k_hat.py`` draws it."""

from pathlib import Path

import pandas as pd

from replicability.core import findings
from replicability.core.tested import Tested
from replicability.io.study import Comparison
from replicability.show import figures, html_explorer, style

FOLDER = Path(__file__).parent

FIVE = {"news": 0.01, "law": 0.02, "mail": 0.06, "talks": 0.08, "web": 0.2}
"""Dataset -> p-value of "A is not better"."""

GROUP = ("mail", "talks")
"""The datasets of the group on the page."""

COMPARISON = Comparison(
    name="five",
    section="by hand",
    title="Five p-values by hand",
    systems=("A", "B"),
    dependence="independent",
    method="fisher",
    file="docs/k_hat.md",
    columns={"dataset": "dataset", "p_value": "p"},
    groups={"mail and talks": GROUP},
)


def table():
    """Return the p-values as a comparison gives them."""
    return Tested(pd.DataFrame({"dataset": list(FIVE), "p_value": list(FIVE.values())}))


def example():
    """Return what the explorer takes of them."""
    return html_explorer.example("five", COMPARISON, table())


def draw():
    """Draw the p-values with Holm's line, and the partial-conjunction p-values."""
    return figures.comparison(COMPARISON, table(), findings.find(COMPARISON, table(), 0.05))


if __name__ == "__main__":
    style.write(draw(), FOLDER / "k_hat.svg", "svg")
