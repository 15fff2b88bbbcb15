"""In JupyterLab: move alpha, dependence and method, choose a group, and see the claims move."""

from dataclasses import replace

from replicability.core import findings, procedure
from replicability.show import evidence
from replicability.stats import partial_conjunction

METHODS = ("recommended", *procedure.METHODS)
"""Local tests that the panel offers, first the one that the study and the dependence ask for."""


def find(comparison, table, alpha, dependence, method="recommended", group=()):
    """Count, identify and bound a group under other choices than those of the study.

    `alpha`: level of significance, in (0, 1). `dependence` ({"independent", "positive",
    "dependent"}): how the datasets depend on each other. `method`: one of `METHODS`, the local test
    of closed testing; "recommended" is what the dependence asks for in the procedure of the study.
    `group` (sequence of str): names of datasets, of which is said on how many A is better.

    Returns findings.Finding: its recommended method is `method`. str: what is found, whether the
    method is valid for the dependence, and the bound of the group.

    Raises `InputError`: if the method is joint and the datasets share no units, or the group names
    no dataset.
    """
    changed = replace(comparison, dependence=dependence, method="")
    finding = findings.find(changed, table, alpha, methods=("count",))
    if method != "recommended":
        finding = _by(finding, method, table)
    method = finding.recommended
    valid = dependence in procedure.VALID_UNDER[method]
    verdict = "valid" if valid else "NOT valid, k-hat may be too large"
    title = procedure.TITLES[method]
    sentence = (
        f"{title[:1].upper()}{title[1:]} ({verdict} for {dependence} datasets): {finding} "
        f"{finding.counts['count']} of {len(finding.datasets)} p-values are at or below alpha."
    )
    return finding, f"{sentence} {findings.of_group(finding, group) if group else ''}".rstrip()


def methods_for(table):
    """Name the methods that a comparison can have.

    `table`: as `evaluation.evaluate` returns it.

    Returns tuple of str. `METHODS`; without joint sign flips unless the datasets share units, and
    without draws unless they are right-or-wrong and independent.
    """
    known = procedure.known(table)
    lacking = () if known["shared"] else procedure.OF_UNITS
    lacking += () if known["drawn"] else (procedure.DISCRETE,)
    return tuple(method for method in METHODS if method not in lacking)


def _by(finding, method, table):
    """Return a finding by closed testing with another local test."""
    # of independent datasets any method is valid, so that only flips and draws can be refused
    procedure.local_test("independent", method=method, **procedure.known(table))
    pvalues, flips = finding.pvalues, table.flips
    claims = procedure.Procedure(finding.datasets, finding.alpha, method, pvalues, flips)
    counts = {"count": finding.counts["count"], method: claims.at_least()}
    return replace(
        finding,
        counts=counts,
        recommended=method,
        identified=claims.named,
        claims=claims,
        of_groups=claims,
    )


def panel(results):
    """Make the widgets; show them where they are the last value of a cell.

    `results`: results of comparisons.

    Returns ipywidgets.VBox. A choice of comparison, alpha, dependence, method and a group of
    datasets above the sentence and the figure.
    """
    import ipywidgets  # only a live notebook needs these
    import matplotlib.pyplot as plt
    from IPython.display import display

    titles = {one.title: (one.comparison, one.evaluated) for one in results}
    title = ipywidgets.Dropdown(options=list(titles), description="comparison")
    alpha = ipywidgets.FloatLogSlider(
        value=0.05, min=-3, max=-0.5, step=0.05, description="alpha", continuous_update=False
    )
    dependence = ipywidgets.ToggleButtons(
        options=partial_conjunction.DEPENDENCE, description="datasets"
    )
    method = ipywidgets.Dropdown(description="method")
    group = ipywidgets.SelectMultiple(description="group")

    def fit(_=None):
        comparison, table = titles[title.value]
        group.options = list(table["dataset"])
        method.options = methods_for(table)
        method.value = comparison.method or "recommended"
        dependence.value = comparison.dependence

    fit()
    title.observe(fit, "value")  # before what is shown, which needs options that fit

    def show(title, alpha, dependence, method, group):
        comparison, table = titles[title]
        finding, sentence = find(comparison, table, alpha, dependence, method, group)
        print(sentence)
        if "score_a" in table:
            figure = evidence.evidence(table, finding, comparison.score)
            display(figure)
            plt.close(figure)

    controls = {
        "title": title, "alpha": alpha, "dependence": dependence, "method": method, "group": group,
    }  # fmt: skip
    shown = ipywidgets.interactive_output(show, controls)
    return ipywidgets.VBox([*controls.values(), shown])
