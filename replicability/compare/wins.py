"""Instances on which A is better, equal and worse."""

from replicability.stats.metrics import METRICS


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
