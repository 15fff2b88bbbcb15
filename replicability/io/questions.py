"""Declaring a question: each value is checked by itself, and against the source of the scores."""

import dataclasses

from replicability.io import keys
from replicability.io.declared import ASKING, Comparison, Question, Source


def declare(given):
    """Declare a question.

    `given`: field of `Question` -> value; None and the default stand for what is not given.

    Returns Question. Every value is one that the field can have.

    Raises `InputError`: if a value is not.
    """
    block = keys.given({key: value for key, value in given.items() if key in ASKING})
    declared = given.get("dependence_declared", "dependence" in block)
    return Question(**block, dependence_declared=declared)


def comparison(source, question, kind=Comparison, **named):
    """Ask a question about the scores of a source.

    `source` (declared.Source): where the scores come from. `question` (declared.Question): what is
    asked. `kind` (type): comparison or Family. `**named`: further fields of the comparison, such as
    its name.

    Returns Comparison or Family.

    Raises `InputError`: as `study.check_claims`.
    """
    from replicability.io import study

    fields = {
        field.name: getattr(declared, field.name)
        for declared in (source, question)
        for field in dataclasses.fields(declared)
    }
    several = {key: named[key] for key in ("metrics",) if key in named}
    study.check_claims("", given_of(source) | given_of(question) | several)
    title = "-".join(source.systems)
    fields["name"] = source.name or title
    return kind(**{**fields, "section": "", "title": title, **named})


def given_of(declared):
    """Return the fields that are not as they are by default."""
    plain = type(declared)(systems=()) if isinstance(declared, Source) else Question()
    return {
        name: value
        for name, value in vars(declared).items()
        if type(value) is not type(getattr(plain, name)) or value != getattr(plain, name)
    }
