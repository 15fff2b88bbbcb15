"""What `compare` notes below its answer."""


def of_units(options, comparison, table):
    """Say what a unit is, and how dependent the datasets that share units are found to be.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.
    comparison : study.Comparison
        What they declare.
    table : DataFrame
        As `evaluation.evaluate` returns it.

    Returns
    -------
    list of str
        Notes; empty if there is nothing to say.
    """
    import numpy as np

    from replicability.core.numbers import rounded

    notes = []
    if "units" in table:
        notes.append(
            f"The unit is {options.unit or comparison.unit!r}: the instances of each are summed "
            "before any test, so that resamples and flips are of units. A design effect of 2 says "
            "that the difference varies twice as much as if instances were independent."
        )
    if comparison.shared:
        flips = table.attrs["flips"]
        found = flips.correlations[np.triu(flips.shared > 0, 1)]
        found = found[~np.isnan(found)]
        if len(found):
            notes.append(
                f"Datasets that share units have correlations from {rounded(found.min(), 2)} to "
                f"{rounded(found.max(), 2)}, measured by {len(flips.z):,} joint sign flips."
            )
    return notes


def of_test(comparison, table, datasets):
    """Say which test was used, and why, or what the paper uses for such scores.

    Parameters
    ----------
    comparison : study.Comparison
        What is compared.
    table : DataFrame
        As `evaluation.evaluate` returns it.
    datasets : list of instances.Dataset
        The datasets.

    Returns
    -------
    str
        Name of the test.
    str
        Name of the one that is recommended.
    str
        The sentence.
    """
    from replicability.core import evaluation, recommendation, units

    test = table["test"].iloc[0]
    drawn = list(map(units.by_unit, datasets))
    kinds, metric = set(map(evaluation.kind_of, drawn)), drawn[0].metric
    paper = evaluation.recommended(kinds, metric, of=recommendation.in_the_paper)
    advice = evaluation.recommended(kinds, metric, with_margin=comparison.claim != "better")
    note = f"Test: {test}, as you ask; for such scores the paper uses {paper.test}."
    for choice in (paper, advice):
        if test == choice.test:
            where = f" ({choice.section})" if choice.section else ""
            note = f"Test: {test}, because {choice.why}{where}. It assumes that {choice.assumes}."
    return test, advice.test, note


def which(options, comparison):
    """Say which file is which system, where the name of the system is not in that of its file.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `compare`.
    comparison : study.Comparison
        What they declare.

    Returns
    -------
    list of str
        Notes; empty if there is nothing to say.
    """
    files = dict(zip(comparison.systems, (options.a, options.b), strict=True))
    if options.single or all(name in str(path) for name, path in files.items()):
        return []
    return [" ".join(f"{name} is read from {path}." for name, path in files.items())]
