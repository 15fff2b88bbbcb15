"""What was tested: a row for each dataset, and what belongs to all of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import pandas as pd

if TYPE_CHECKING:
    from replicability.core.dependence import Measured
    from replicability.core.roles import Roles
    from replicability.stats.discrete import Draws
    from replicability.stats.joint import Flips
    from replicability.stats.overall import Covariance


@dataclass(frozen=True, eq=False)
class Tested:
    """The datasets of a comparison with their p-values, as `evaluation.evaluate` returns them.

    It gives the columns of `rows`: ``tested["p_value"]``, ``"score_a" in tested``.

    Attributes
    ----------
    rows : DataFrame
        A row for each dataset.
    flips : joint.Flips or discrete.Draws, optional
        Joint sign flips of the units that datasets share, or draws of independent right-or-wrong
        datasets.
    flips_reverse : joint.Flips or discrete.Draws, optional
        Those for B, where they are not the flips with the sign changed.
    covariance : overall.Covariance, optional
        Of the differences, where units are shared and every dataset has a standard error.
    groups : dict of str to list of str
        Groups of datasets that the files declare.
    differences : tuple of str
        Differences between the systems where items are matched by place.
    missing : str
        What was done with missing items, a sentence; "" if none was missing.
    dependence : dependence.Measured, optional
        Dependence that the scores show; None for given p-values.
    corrected : dict of str to (float, float)
        Dataset -> p-values for A and for B that allow for skew, where the test does not.
    recommended_test : str
        Name of the test that is recommended for such scores; "" for given p-values.
    why : str
        Why the test was used, a sentence; "" for given p-values.
    turned : float, optional
        Where a lower score is better, the number of which the scores of `rows` are less than those
        that were read: 1 for right or wrong and shares, 0 elsewhere. In `rows` a higher score is
        better, as everything that compares them takes it.
    read : roles.Roles, optional
        What was read.
    covers : {"items", "runs", "both"}
        What the claim covers, if systems ran several times.
    """

    rows: pd.DataFrame
    flips: Flips | Draws | None = None
    flips_reverse: Flips | Draws | None = None
    covariance: Covariance | None = None
    groups: dict[str, list[str]] = field(default_factory=dict)
    differences: tuple[str, ...] = ()
    missing: str = ""
    dependence: Measured | None = None
    corrected: dict[str, tuple[float, float]] = field(default_factory=dict)
    recommended_test: str = ""
    why: str = ""
    turned: float | None = None
    read: Roles | None = None
    covers: str = "items"

    def as_read(self) -> Tested:
        """Return the same with scores as they were read, where a lower one is better; and back."""
        if self.turned is None or "score_a" not in self:
            return self
        sides = {side: self.turned - self.rows[side] + 0.0 for side in ("score_a", "score_b")}
        return self.assign(**sides)

    def __getitem__(self, columns: Any) -> Any:
        """Return a column, or a table of several."""
        return self.rows[columns]

    def __contains__(self, column: object) -> bool:
        """Tell whether there is a column."""
        return column in self.rows

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the names of the columns."""
        return iter(self.rows)

    def __len__(self) -> int:
        """Return the number of datasets."""
        return len(self.rows)

    def get(self, column: str, default: Any = None) -> Any:
        """Return a column, or `default` where there is none."""
        return self.rows.get(column, default)

    def assign(self, **columns: Any) -> Tested:
        """Return the same with other columns."""
        return replace(self, rows=self.rows.assign(**columns))
