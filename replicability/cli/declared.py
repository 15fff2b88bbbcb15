"""What the options of a command declare: levels, names, groups, what is shared, the comparison."""

import csv

CLAIMS = ("dependence", "procedure", "method", "claim", "alternative", "test", "seed")
"""Options that are called as the field of a question."""


def option(key):
    """Name a key of a study as the option that takes its place, such as --group for `groups`."""
    from replicability import checks

    return checks.option({"groups": "group", "n_flips": "flips"}.get(key, key))


def levels(options):
    """Return the levels of significance that are asked for.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.

    Returns
    -------
    list of float
        0.05 if none is given with --alpha.

    Raises
    ------
    InputError
        If one is no level.
    """
    from replicability import checks

    return [checks.alpha(alpha) for alpha in options.alpha or (0.05,)]


def dataset_names(options, n):
    """Return the names of n datasets that were passed with --names.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`.
    n : int
        Number of p-values.

    Returns
    -------
    list of str, or None
        The names without blanks around them; None if none are passed.

    Raises
    ------
    InputError
        If there are more or fewer, one is empty, or two are the same or look alike.
    """
    from replicability import checks
    from replicability.io.pvalues import refuse_alike

    if not options.names:
        return None
    names = [name.strip() for name in options.names]
    if len(names) != n:
        raise checks.InputError(
            f"There are {len(names)} names and {n} p-values; pass --names with one name for each "
            "p-value."
        )
    seen = set()
    for name in names:
        if not name:
            raise checks.InputError("One of --names is empty; give every dataset a name.")
        if name in seen:
            raise checks.InputError(f"Two datasets have the name {name!r}; rename one of them.")
        seen.add(name)
    refuse_alike("--names", names)
    return names


def question(options):
    """Declare the question that the arguments ask.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.

    Returns
    -------
    declared.Question

    Raises
    ------
    InputError
        If a value, a group or a margin is not written as it must be.
    """
    from replicability.io import questions

    return questions.declare(claims(options))


def comparison(options, source, asked):
    """Ask a question of a source.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.
    source : declared.Source
        What is read.
    asked : declared.Question
        What is asked.

    Returns
    -------
    study.Comparison

    Raises
    ------
    InputError
        If the question and the source do not fit, or the method that is asked for is not valid.
    """
    from replicability.io import questions

    refuse_systems(source.systems)
    declared = questions.comparison(source, asked)
    if declared.procedure != "paper":
        _refuse_method(options, declared)
    return declared


def declare(options, **read):
    """Declare what the arguments say of p-values.

    Parameters
    ----------
    options : Namespace
        Arguments of the command `pvalues`.
    **read
        Fields of `declared.Source` that follow from what is read.

    Returns
    -------
    study.Comparison
        The comparison; what is not declared is taken as dependent.

    Raises
    ------
    InputError
        As `question` and `comparison`.
    """
    from replicability.io.declared import INSTANCE, Source

    systems = tuple(options.systems or ("A", "B"))
    fields = {"systems": systems, "columns": {"p_value": ""}, **read}
    fields["resolution"] = options.resolution or 0.0
    fields["unit"] = options.unit or INSTANCE
    fields.setdefault("sided", options.sided)
    return comparison(options, Source(**fields), question(options))


def refuse_systems(systems):
    """Refuse systems without names, or with the same one."""
    from replicability import checks

    if not all(system.strip() for system in systems):
        raise checks.InputError("One of --systems is empty; give both a name.")
    if systems[0] == systems[1]:
        raise checks.InputError(
            f"Both systems have the name {systems[0]!r}; pass two with --systems."
        )


def claims(options):
    """Return what the arguments say of groups, units and the procedure.

    Parameters
    ----------
    options : Namespace
        Arguments of a command that makes a claim.

    Returns
    -------
    dict
        Field of `declared.Question` -> value, None for what is not given.

    Raises
    ------
    InputError
        If a group, a margin or an option of the test is not written as it must be.
    """
    given = {name: getattr(options, name, None) for name in CLAIMS}
    given["n_flips"] = getattr(options, "flips", None)
    for key, name, read in (
        ("groups", "group", groups),
        ("shared", "shared", shared),
        ("margin", "margin", margin),
        ("options", "option", test_options),
    ):
        if value := getattr(options, name, None):
            given[key] = read(value)
    return given


def test_options(texts):
    """Read options of a test from the values of --option.

    Parameters
    ----------
    texts : sequence of str
        Such as "n_resamples=10000": a name, and a value as in YAML.

    Returns
    -------
    dict
        Name -> value.

    Raises
    ------
    InputError
        If a value is not written like this, or a name is there twice.

    Examples
    --------
    >>> test_options(["n_resamples=999", "kind=pearson"])
    {'n_resamples': 999, 'kind': 'pearson'}
    """
    import yaml

    from replicability import checks

    found = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.partition("="))
        if not (name and equals and value):
            raise checks.InputError(
                f"--option {text!r} is not a name, an equals sign and a value; write such as "
                "--option n_resamples=10000."
            )
        if name in found:
            raise checks.InputError(f"--option names {name!r} twice; once is enough.")
        try:
            found[name] = yaml.safe_load(value)
        except yaml.YAMLError:
            found[name] = value
    return found


def _refuse_method(options, declared):
    """Refuse a local test that is not valid, or that there is not."""
    from replicability import checks
    from replicability.core import procedure

    method = declared.method
    valid = procedure.VALID_UNDER.get(method, (declared.dependence,))
    if options.dependence is None and declared.dependence not in valid:
        flags = " or ".join(f"--{kind}" for kind in valid)
        raise checks.InputError(
            f"The method {method!r} is not valid whatever the dependence, and none is declared; "
            f"declare {flags} if that is known, or leave --method out."
        )
    procedure.local_test(
        declared.dependence,
        shared=bool(declared.shared),
        drawn=declared.level == "instances",  # if not, it is refused when scores have been read
        method=method,
    )


# --- margins -------------------------------------------------------------------------------------


def margin(texts):
    """Read the margin of all datasets, or of each, from the values of --margin.

    Parameters
    ----------
    texts : sequence of str
        One number, or such as "news=0.01" for each dataset.

    Returns
    -------
    float or dict of str to float
        The number, or dataset -> number.

    Raises
    ------
    InputError
        If a value is no number, a dataset is named twice, or both ways are mixed.

    Examples
    --------
    >>> margin(["0.01"]), margin(["news=0.01", "law=0.02"])
    (0.01, {'news': 0.01, 'law': 0.02})
    """
    from replicability import checks

    if len(texts) == 1 and "=" not in texts[0]:
        return _number(texts[0], texts[0])
    found = {}
    for text in texts:
        name, equals, value = (part.strip() for part in text.rpartition("="))
        if not (name and equals):
            raise checks.InputError(
                f"--margin {text!r} stands beside another; give one number for all datasets, or "
                "such as --margin news=0.01 for each."
            )
        if name in found:
            raise checks.InputError(f"--margin names the dataset {name!r} twice; once is enough.")
        found[name] = _number(value, text)
    return found


def _number(value, text):
    """Return a number that is written in an option."""
    from replicability import checks

    try:
        return float(value)
    except ValueError:
        raise checks.InputError(
            f"--margin {text!r} is no number; write such as --margin 0.01, in the unit of the "
            "score, or --margin news=0.01 for each dataset."
        ) from None


# --- groups of datasets --------------------------------------------------------------------------


def groups(texts, option="--group"):
    """Read groups of datasets from the values of an option.

    Parameters
    ----------
    texts : sequence of str
        Such as "written=news,letters". Names are separated by commas; one that holds a comma stands
        in double quotes, as in CSV.
    option : str, default "--group"
        The option, for messages.

    Returns
    -------
    dict of str to list of str
        Name of the group -> names of its datasets, at least one.

    Raises
    ------
    InputError
        If a value is not written like this, or two have the same name.

    Examples
    --------
    >>> groups(["spoken=talks", 'cities = "Paris, Texas", Rome'])
    {'spoken': ['talks'], 'cities': ['Paris, Texas', 'Rome']}
    """
    from replicability import checks

    found = {}
    for text in texts:
        name, _, members = (part.strip() for part in text.partition("="))
        if not name or "=" not in text:
            alone = f"; {option} alone stands behind the files" if option == "--shared" else ""
            raise checks.InputError(
                f"{option} {text!r} is not a name, an equals sign and datasets; write such as "
                f"{option} 'written=news,letters'{alone}."
            )
        if name in found:
            raise checks.InputError(
                f"{option}: two have the name {name!r}; rename one, or name all its datasets at "
                "once."
            )
        if not members:
            raise checks.InputError(
                f"{option} {name!r} names no dataset; write those that it has after the equals "
                "sign, separated by commas."
            )
        found[name] = _separated(f"{option} {name!r}", members)
    return found


def _separated(place, text):
    """Return names that are separated by commas."""
    from replicability import checks

    try:
        (cells,) = csv.reader([text], skipinitialspace=True, strict=True)
    except csv.Error:
        raise checks.InputError(
            f"{place}: the quotes in {text!r} do not match; put a name that holds a comma in "
            "double quotes, such as '\"Paris, Texas\",Rome'."
        ) from None
    return [cell.strip() for cell in cells]


def shared(values):
    """Read which datasets share units from the values of --shared.

    Parameters
    ----------
    values : sequence of str or True
        True where the option has no value; else as `groups` takes it.

    Returns
    -------
    True or dict of str to list of str
        True if all datasets may share units.

    Raises
    ------
    InputError
        As `groups`, or if both are said.
    """
    from replicability import checks

    named = [value for value in values if value is not True]
    if not named:
        return True
    if len(named) < len(values):
        raise checks.InputError(
            "--shared is given alone, for all datasets, and with the names of some; leave out one "
            "of the two."
        )
    return groups(named, "--shared")
