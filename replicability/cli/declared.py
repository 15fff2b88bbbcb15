"""What the options of a command declare: levels, names, the question, the comparison."""

from replicability.cli.flags import given
from replicability.io.declared import ASKING


def levels(options):
    """Return the requested levels of significance; 0.05 if none is given."""
    from replicability.io import keys

    return keys.levels(given(options, ("alpha",)).get("alpha", 0.05))


def dataset_names(options, n):
    """Return the names of n datasets that were passed with --names.

    `options`: arguments of the command `pvalues`. `n`: number of p-values.

    Returns list of str, or None. The names without blanks around them; None if none are passed.

    Raises `InputError`: if there are more or fewer, one is empty, or two are the same or look
    alike.
    """
    from replicability import checks
    from replicability.io.pvalues import refuse_alike

    if not options.names:
        return None
    names = [name.strip() for name in options.names]
    if len(names) != n:
        raise checks.InputError(
            f"--names and the p-values differ in number ({len(names)} and {n}); pass one name for "
            "each p-value."
        )
    seen = set()
    for name in names:
        if not name:
            raise checks.InputError("--names contains an empty name; give every dataset a name.")
        if name in seen:
            raise checks.InputError(f"Two datasets have the name {name!r}; rename one of them.")
        seen.add(name)
    refuse_alike("--names", names)
    return names


def question(options):
    """Declare the question that the arguments ask.

    `options`: arguments of a command that makes a claim.

    Returns declared.Question.

    Raises `InputError`: if a value, a group or a margin is not written as it must be.
    """
    from replicability.io import questions

    return questions.declare(given(options, ASKING))


def comparison(options, source, asked):
    """Ask a question of a source.

    `options`: arguments of a command that makes a claim. `source` (declared.Source): what is read.
    `asked` (declared.Question): what is asked.

    Returns study.Comparison.

    Raises `InputError`: if the question and the source do not fit, or the method that is asked for
    is not valid.
    """
    from replicability.io import questions

    refuse_systems(source.systems)
    declared = questions.comparison(source, asked)
    if declared.procedure != "paper":
        _refuse_method(options, declared)
    return declared


def declare(options, **read):
    """Declare what the arguments say of p-values.

    `options`: arguments of the command `pvalues`. `**read`: fields of `declared.Source` that follow
    from what is read.

    Returns study.Comparison. The comparison; what is not declared is taken as dependent.

    Raises `InputError`: as `question` and `comparison`.
    """
    from replicability.io import keys
    from replicability.io.declared import OF_PVALUES, Source

    systems = tuple(options.systems or ("A", "B"))
    said = given(options, ("unit", "higher_is_better", *OF_PVALUES))
    said = {name: keys.checked(name, value) for name, value in said.items()}
    fields = {"systems": systems, "columns": {"p_value": ""}, **said, **read}
    return comparison(options, Source(**fields), question(options))


def refuse_systems(systems):
    """Refuse systems without names, or with the same one."""
    from replicability import checks

    if not all(system.strip() for system in systems):
        raise checks.InputError("--systems contains an empty name; name both systems.")
    if systems[0] == systems[1]:
        raise checks.InputError(
            f"Both systems have the name {systems[0]!r}; give them different names with --systems."
        )


def _refuse_method(options, declared):
    """Refuse a local test that is not valid, or that there is not."""
    from replicability import checks
    from replicability.core import procedure

    method = declared.method
    valid = procedure.VALID_UNDER.get(method, (declared.dependence,))
    if options.dependence is None and declared.dependence not in valid:
        flags = " or ".join(f"--{kind}" for kind in valid)
        raise checks.InputError(
            f"The method {method!r} is valid only under some kinds of dependence, but you did not "
            f"say how your datasets depend on each other; add {flags} if that describes them, or "
            "leave --method out."
        )
    procedure.local_test(
        declared.dependence,
        shared=bool(declared.shared),
        drawn=declared.level == "instances",  # if not, it is refused when scores have been read
        method=method,
    )
