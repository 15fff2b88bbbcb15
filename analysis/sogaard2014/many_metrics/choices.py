"""Tests among which a researcher is free to choose, as families."""

from dataclasses import dataclass

import numpy as np

from replicability import checks

WHOLE = ((0.0, 1.0),)
"""Subsamples of a choice that tests all items and nothing else."""

HALVES = ((0.0, 0.5), (0.5, 1.0))
"""Subsamples that a covariate gives which splits the items 50-50."""

WHOLE_OR_HALF = ((0.0, 1.0), (0.0, 0.5))
"""All items, or the half that a covariate singles out."""


@dataclass(frozen=True)
class Choice:
    """Tests of one comparison among which a researcher is free to choose.

    Attributes
    ----------
    name : str
        What may be chosen.
    metrics : int, default 1
        Number of independent metrics.
    copy : float, optional
        Correlation of each metric with a noisy copy of it, in [0, 1), if that may be chosen, too.
    subsamples : sequence of (float, float)
        Where each subsample begins and ends, as shares of the items in random order.
    effect : float, default 0
        Difference of the means of the first metric in standard deviations; other metrics have none.
    """

    name: str
    metrics: int = 1
    copy: float | None = None
    subsamples: tuple = WHOLE
    effect: float = 0.0

    def __post_init__(self):
        checks.at_least("The number of metrics of a choice", self.metrics)
        if self.copy is not None and not 0 <= self.copy < 1:
            raise checks.InputError(
                f"The correlation of a metric and its copy is {self.copy!r}, but must be in [0, 1)."
            )
        if not self.subsamples:
            raise checks.InputError(f"{self.name} has no subsample; pass at least one.")
        for start, stop in self.subsamples:
            if not 0 <= start < stop <= 1:
                raise checks.InputError(
                    f"A subsample goes from {start!r} to {stop!r}; "
                    "these shares of the items must satisfy 0 <= start < stop <= 1."
                )
        checks.finite("The effect of a choice", self.effect)

    @property
    def n_tests(self):
        """Number of tests, ordered by metric, then metric before copy, then subsample."""
        return self.metrics * (1 if self.copy is None else 2) * len(self.subsamples)

    @property
    def is_effect(self):
        """Whether the means differ, for each test (ndarray of bool, shape (n_tests,))."""
        return np.arange(self.n_tests) < (self.n_tests // self.metrics) * (self.effect != 0)

    @property
    def correlation(self):
        """Correlation of the test statistics of one metric (ndarray, shape (m, m))."""
        start, stop = np.transpose(self.subsamples)
        shared = np.minimum.outer(stop, stop) - np.maximum.outer(start, start)
        size = stop - start
        overlap = np.maximum(shared, 0) / np.sqrt(np.outer(size, size))
        rho = [] if self.copy is None else [self.copy]
        return np.kron(np.eye(1 + len(rho)) + sum(rho) * (1 - np.eye(1 + len(rho))), overlap)


def noise_correlation(noise):
    r"""Return the correlation of a metric with a copy that has normal noise added.

    `noise`: standard deviation of the noise in standard deviations of the metric, above 0.

    Returns float. :math:`1 / \sqrt{1 + noise^2}`.

    Raises `InputError`: if the noise is not a finite number above 0.

    Examples
    --------
    >>> round(noise_correlation(0.1), 3)
    0.995
    """
    if not checks.finite("noise", noise) > 0:
        raise checks.InputError(f"noise is {noise!r}, but must be a finite number above 0.")
    return (1 + noise**2) ** -0.5


def published_choices(noise=0.1, n_metrics=2, sizes=(0.25, 0.5, 0.75, 1.0)):
    """Return the choices of Søgaard et al. (2014), Sections 3.3 to 3.5.

    `noise`: noise of the distorted copy, in standard deviations. `n_metrics`: number of independent
    metrics. `sizes` (sequence of float): sample sizes of Figure 2 as shares of the items. The paper
    says that there are four.

    Returns list of Choice. One metric, noisy copy, independent metrics, random split, both, sample
    size; the names are those of the published rates in
    ``data/published/sogaard2014/section3_toy_examples.csv``.

    Raises `InputError`: if an argument is not valid.
    """
    return [
        Choice("one metric"),
        Choice("metric or distorted copy", copy=noise_correlation(noise)),
        Choice("independent metrics", n_metrics),
        Choice("covariate", subsamples=HALVES),
        Choice("metric and covariate", n_metrics, subsamples=HALVES),
        Choice("sample sizes", subsamples=tuple((0.0, size) for size in sizes)),
    ]


def other_readings(noise=0.1, n_metrics=2):
    """Return other ways to read what the paper says about a copy and a split.

    Returns list of Choice. Noise in a share of the values instead of noise with that standard
    deviation: a copy with correlation 1 - noise. A covariate that singles out a half which may be
    reported instead of the whole, with one metric and with several.

    Raises `InputError`: if an argument is not valid.
    """
    if not 0 < checks.finite("noise", noise) <= 1:
        raise checks.InputError(
            f"noise is {noise!r}, but the share of values that are replaced must be in (0, 1]."
        )
    return [
        Choice("metric or distorted copy (other noise)", copy=1 - noise),
        Choice("covariate (whole or half)", subsamples=WHOLE_OR_HALF),
        Choice("metric and covariate (whole or half)", n_metrics, subsamples=WHOLE_OR_HALF),
    ]
