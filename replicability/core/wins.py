"""Instances on which A is better, equal and worse."""

from replicability.stats.metrics import METRICS

COLUMNS = ("wins", "ties", "losses")
"""What is counted, as columns of a table."""


def counted(table, datasets):
    """Add to the results of datasets on how many instances A is better, equal and worse.

    Parameters
    ----------
    table : Tested
        As `evaluation.evaluate` returns it.
    datasets : sequence of instances.Dataset
        The datasets, in the order of its rows.

    Returns
    -------
    DataFrame
        The table with `COLUMNS`, whole numbers or None.
    """
    won = zip(*map(wins_ties_losses, datasets), strict=True)
    return table.assign(**{name: list(n) for name, n in zip(COLUMNS, won, strict=True)})


def wins_ties_losses(dataset):
    """Count the instances on which A is better, equal and worse.

    Parameters
    ----------
    dataset : instances.Dataset
        Scores of both systems, or their sums.

    Returns
    -------
    (int, int, int) or (None, None, None)
        The numbers; None for ratings, of which a higher one is not better.
    """
    if dataset.gold is not None:
        return None, None, None
    a, b = dataset.a, dataset.b
    if a.ndim == 2:
        metric = METRICS[dataset.metric or "mean"]
        a, b = metric(a), metric(b)
    return int((a > b).sum()), int((a == b).sum()), int((a < b).sum())
