"""Names for readers: what systems, datasets and groups are called wherever something is shown.

Files are read, and resamples drawn, by the names that the data have; labels take their place
once a comparison is evaluated, so that tables, figures and sentences have the same ones.
"""

from collections import Counter
from dataclasses import replace

from replicability import checks


def apply(comparison, tested):
    """Put labels in the place of the names of systems, datasets and groups.

    Parameters
    ----------
    comparison : study.Comparison
        Its `labels`: name -> label.
    tested : Tested
        As `evaluation.evaluate` returns it.

    Returns
    -------
    (study.Comparison, Tested)
        The same with labels.

    Raises
    ------
    InputError
        If labels name what is not there, or would give two systems, datasets or groups one name.
    """
    labels = comparison.labels
    if not labels:
        return comparison, tested
    kinds = {
        "systems": [*comparison.systems],
        "datasets": [*tested["dataset"]],
        "groups": list({**tested.groups, **comparison.groups}),
    }
    names = [name for kind in kinds.values() for name in kind]
    for name in () if comparison.labels_of_study else labels:
        checks.choice(f"{checks.named('labels')}: the name", name, names)
    for kind, found in kinds.items():
        for label, times in Counter(labels.get(name, name) for name in found).items():
            if times > 1:
                raise checks.InputError(
                    f"{checks.named('labels')}: {times} {kind} would be called {label!r}; give "
                    "each a label of its own."
                )

    def called(name):
        return labels.get(name, name)

    def by_name(members):
        return {called(name): [*map(called, listed)] for name, listed in members.items()}

    margin, shared = comparison.margin, comparison.shared
    own = comparison.title == "-".join(comparison.systems)
    systems = tuple(map(called, comparison.systems))
    changes = {
        "systems": systems,
        "title": "-".join(systems) if own else comparison.title,
        "groups": by_name(comparison.groups),
    }
    if isinstance(margin, dict):
        changes["margin"] = {called(name): value for name, value in margin.items()}
    if isinstance(shared, dict):
        changes["shared"] = {unit: [*map(called, listed)] for unit, listed in shared.items()}
    shown = replace(
        tested.assign(dataset=tested["dataset"].map(called)),
        groups=by_name(tested.groups),
        corrected={called(name): pair for name, pair in tested.corrected.items()},
    )
    return replace(comparison, **changes), shown
