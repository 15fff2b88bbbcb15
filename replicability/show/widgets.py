"""In JupyterLab: move alpha, dependence and method, and see k-hat move."""

from dataclasses import replace

from replicability.compare import findings
from replicability.show import figures
from replicability.stats import partial_conjunction

METHODS = ("recommended", *partial_conjunction.METHODS)
"""Ways to combine p-values that the panel offers."""


def find(comparison, table, alpha, dependence, method="recommended"):
    """Count and identify under other choices than those of the study.

    Parameters
    ----------
    comparison : study.Comparison
        The comparison.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    alpha : float
        Level of significance, in (0, 1).
    dependence : {"independent", "positive", "dependent"}
        How the datasets depend on each other.
    method : str
        One of `METHODS`; "recommended" is the one that the dependence asks for.

    Returns
    -------
    findings.Finding
        Its recommended method is `method`.
    str
        One sentence: k-hat, and whether the method is valid for the dependence.
    """
    changed = replace(comparison, dependence=dependence)
    if method == "recommended":
        method = partial_conjunction.recommended_method(dependence)
    finding = findings.find(changed, table, alpha, methods=("count", method))
    finding = replace(finding, recommended=method)
    valid = dependence in partial_conjunction.ESTIMATORS[method].valid_under
    verdict = "valid" if valid else "NOT valid, k-hat may be too large"
    sentence = (
        f"k-hat = {finding.counts[method]} of {len(finding.datasets)} at alpha = {alpha:.3g} by "
        f"{method.capitalize()} ({verdict} for {dependence} datasets); "
        f"{finding.counts['count']} p-values are at or below alpha."
    )
    return finding, sentence


def panel(pairs):
    """Make the widgets; show them where they are the last value of a cell.

    Parameters
    ----------
    pairs : sequence of (study.Comparison, DataFrame)
        Comparisons with their results.

    Returns
    -------
    ipywidgets.VBox
        A choice of comparison, alpha, dependence and method above the sentence and the figure.
    """
    import ipywidgets  # only a live notebook needs these
    import matplotlib.pyplot as plt
    from IPython.display import display

    titles = {comparison.title: (comparison, table) for comparison, table in pairs}
    first = pairs[0][0]
    title = ipywidgets.Dropdown(options=list(titles), description="comparison")
    alpha = ipywidgets.FloatLogSlider(
        value=0.05, min=-3, max=-0.5, step=0.05, description="alpha", continuous_update=False
    )
    dependence = ipywidgets.ToggleButtons(
        options=partial_conjunction.DEPENDENCE, value=first.dependence, description="datasets"
    )
    method = ipywidgets.Dropdown(options=METHODS, description="method")

    def show(title, alpha, dependence, method):
        comparison, table = titles[title]
        finding, sentence = find(comparison, table, alpha, dependence, method)
        print(sentence)
        if "score_a" in table:
            figure = figures.comparison(table, finding, comparison.score)
            display(figure)
            plt.close(figure)

    controls = {"title": title, "alpha": alpha, "dependence": dependence, "method": method}
    shown = ipywidgets.interactive_output(show, controls)
    return ipywidgets.VBox([*controls.values(), shown])
