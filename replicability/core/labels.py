"""Names for readers: what systems, datasets and groups are called wherever something is shown.

Files are read, and resamples drawn, by the names that the data have; labels take their place
once a comparison is evaluated, so that tables, figures and sentences have the same ones.
"""

import itertools
import re
from collections import Counter
from dataclasses import replace

from replicability import checks


def check(question, systems, datasets, groups=()):
    """Check that labels name what there is, and leave different things different names.

    Parameters
    ----------
    question : declared.Question
        Its `labels`: name -> label; those of a study may name what only another comparison has.
    systems, datasets, groups : iterable of str
        The names in the data.

    Raises
    ------
    InputError
        If labels name what is not there, or would give two systems, datasets or groups one name.
    """
    labels, said = question.labels, checks.named("labels")
    kinds = {"systems": [*systems], "datasets": [*datasets], "groups": [*groups]}
    known = [*itertools.chain(*kinds.values())]
    for name in () if getattr(question, "labels_of_study", False) else labels:
        checks.choice(f"{said}: the name", name, known)
    for kind, found in kinds.items():
        for label, times in Counter(map(question.called, found)).items():
            if times > 1:
                raise checks.InputError(
                    f"{said}: {times} {kind} would have the label {label!r}; give each a different "
                    "label."
                )


def in_sentences(question, measured):
    """Return the dependence that was measured, with labels for the names that its sentences quote.

    `question` (declared.Question): its `labels`. `measured` (dependence.Measured or None): what was
    measured.

    Returns dependence.Measured or None. The same with labels.
    """
    if measured is None or not question.labels:
        return measured
    quoted = {repr(name): repr(label) for name, label in question.labels.items()}
    pattern = "|".join(map(re.escape, sorted(quoted, key=len, reverse=True)))
    said = [re.sub(pattern, lambda found: quoted[found[0]], text) for text in measured.sentences]
    return replace(measured, sentences=said)


def apply(comparison, tested):
    """Put labels in the place of the names of systems, datasets and groups.

    `comparison`: its `labels`: name -> label.

    Returns (study.Comparison, Tested). The same with labels.

    Raises `InputError`: as `check`.
    """
    if not comparison.labels:
        return comparison, tested
    groups = {**tested.groups, **comparison.groups}
    check(comparison, comparison.systems, tested["dataset"], groups)
    called = comparison.called

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
        dependence=in_sentences(comparison, tested.dependence),
    )
    return replace(comparison, **changes), shown
