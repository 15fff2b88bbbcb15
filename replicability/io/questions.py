"""Declaring a question: each value is checked by itself, and against the source of the scores."""

import dataclasses
from collections.abc import Mapping

from replicability import checks
from replicability.checks import InputError
from replicability.io.declared import Comparison, Question

FEWEST_FLIPS, MOST_FLIPS = 20, 10**6
"""Limits of the number of joint sign flips."""


def declare(given):
    """Declare a question.

    Parameters
    ----------
    given : dict
        Field of `Question` -> value; None, empty ones and False stand for what is not given.

    Returns
    -------
    Question
        Every value is one that the field can have.

    Raises
    ------
    InputError
        If a value is not.
    """
    block = {key: value for key, value in given.items() if not _absent(value)}
    for key, allowed in choices().items():
        if key in block:
            checks.choice(key, block[key], allowed)
    if "seed" in block:
        checks.at_least(checks.named("seed"), block["seed"], 0)
    if "n_flips" in block:
        flips = checks.at_least(checks.named("n_flips"), block["n_flips"], FEWEST_FLIPS)
        if flips > MOST_FLIPS:
            raise InputError(
                f"{checks.named('n_flips')} is {flips:,}; draw {MOST_FLIPS:,} joint sign flips at "
                "most."
            )
    for key in {"groups", "shared"} & set(block):
        block[key] = _groups(key, block[key])
    for key in {"options", "margin"} & set(block):
        if isinstance(block[key], Mapping):
            block[key] = dict(block[key])
    block.setdefault("dependence_declared", "dependence" in block)
    return Question(**block)


def _absent(value):
    """Tell whether a value stands for what is not given; 0 is a number."""
    return value is None or value is False or (isinstance(value, str | dict | tuple) and not value)


def choices():
    """Return the fields of a question that have a few values: field -> its values."""
    from replicability.stats import estimators, margins, paired

    return {
        "dependence": tuple(estimators.DEPENDENCE),
        "claim": tuple(margins.CLAIMS),
        "alternative": ("two-sided", "greater"),
        "procedure": ("closed", "paper"),
        "test": tuple(paired.TESTS),
    }


def comparison(source, question, kind=Comparison, **named):
    """Ask a question about the scores of a source.

    Parameters
    ----------
    source : declared.Source
        Where the scores come from.
    question : declared.Question
        What is asked.
    kind : type, default Comparison
        Comparison or Family.
    **named
        Further fields of the comparison, such as its name.

    Returns
    -------
    Comparison or Family

    Raises
    ------
    InputError
        As `study.check_claims`.
    """
    from replicability.io import study

    fields = {
        field.name: getattr(declared, field.name)
        for declared in (source, question)
        for field in dataclasses.fields(declared)
    }
    study.check_claims("", given_of(source) | given_of(question))
    title = "-".join(source.systems)
    fields["name"] = source.name or title
    return kind(**{**fields, "section": "", "title": title, **named})


def given_of(declared):
    """Return the fields that are not as they are by default."""
    return {
        field.name: getattr(declared, field.name)
        for field in dataclasses.fields(declared)
        if getattr(declared, field.name) not in (field.default, {}, ())
    }


def _groups(key, groups):
    """Return groups of datasets as lists of names, or True."""
    if groups is True and key == "shared":
        return True
    if not isinstance(groups, Mapping):
        raise InputError(
            f"{checks.named(key)} is of type {type(groups).__name__}; pass a name for each group "
            f"with its datasets, such as {{'written': ['news', 'law']}}."
        )
    found = {}
    for name, members in groups.items():
        if isinstance(members, str):
            raise InputError(f"{key}: {name}={members!r} is one text; pass a list of names.")
        found[str(name)] = list(map(str, members))
    return found
