"""Options: made from what is declared of each field, and read as its value."""

import csv
import functools
import re
from argparse import SUPPRESS
from pathlib import Path

from replicability.io.declared import KEYS


def option(key):
    """Name a field as its option, such as --group for `groups`."""
    name = KEYS[key].flag if key in KEYS else ""
    return f"--{(name or key).replace('_', '-')}"


def add(added, *names, hidden=()):
    """Add the options of fields to a command; a hidden one is there to be refused.

    `added` (ArgumentParser): the command. `*names`: fields of `declared.KEYS`. `hidden` (collection
    of str): those without help.
    """
    for name in (*names, *hidden):
        said = KEYS[name]
        if name == "dependence":
            _add_each(added, name, {value: (value, why) for value, why in said.values.items()})
        elif name == "higher_is_better":
            ways = {
                f"{way}-is-better": (way == "higher", f"a {way} score is better; {TOLD}")
                for way in ("higher", "lower")
            }
            _add_each(added, name, ways)
        elif name == "repeats":
            _add_repeats(added, said)
        elif not (said.written or said.values):
            added.add_argument(option(name), action="store_true", default=None, help=_help(said))
        else:
            more = {"nargs": said.nargs} if said.nargs else {}
            added.add_argument(
                option(name),
                dest=name,
                action="append" if said.again else "store",
                const=True if said.nargs == "?" else None,
                type=number if name in NUMBERS else None,
                metavar=said.written or "|".join(said.values),
                help=SUPPRESS if name in hidden else _help(said),
                **more,
            )


NUMBERS = ("seed", "n_flips", "resolution", "alpha", "ship", "block")
"""Fields whose values may be numbers."""

TOLD = "a metric whose name suggests a loss or an error rate needs one of these two options"


def _add_repeats(added, said):
    """Add the options of what was repeated: the column, and what it is."""
    added.add_argument("--repeats", metavar=said.written, help=_help(said))
    added.add_argument(
        "--repeats-kind",
        metavar="runs|splits|raters",
        help="what the column of --repeats identifies",
    )
    added.add_argument(
        "--nested",
        action="store_true",
        default=None,
        help="for runs: each item has its own runs, such as sampled answers",
    )
    added.add_argument(
        "--within",
        metavar="COLUMN",
        help="for splits: the column that identifies the repeats of a k-fold cross-validation",
    )
    added.add_argument(
        "--test-share",
        action="append",
        metavar="SHARE|DATASET=SHARE",
        help="for splits: the share of the data in the test set, such as 0.1 in ten-fold "
        "cross-validation. May be repeated.",
    )


def repeats(options):
    """Return what was repeated, from its options; None without.

    `options`: arguments of a command.

    Raises `InputError`: if an option is there without --repeats, or a share is no number.
    """
    from replicability import checks

    said = {
        key: getattr(options, name, None)
        for key, name in (
            ("column", "repeats"),
            ("kind", "repeats_kind"),
            ("nested", "nested"),
            ("within", "within"),
            ("test_share", "test_share"),
        )
    }
    found = {key: value for key, value in said.items() if value is not None}
    if found and "column" not in found:
        first = "--repeats-kind" if "kind" in found else f"--{next(iter(found)).replace('_', '-')}"
        raise checks.InputError(
            f"{first} describes the column of repeats; specify that column with --repeats."
        )
    if found and "kind" not in found:
        raise checks.InputError(
            f"--repeats {found['column']} needs --repeats-kind: runs (such as training seeds), "
            "splits (such as cross-validation folds) or raters."
        )
    if "test_share" in found:
        shares = found["test_share"]
        how = "is not of the form dataset=number; write, for example, --test-share news=0.1"
        found["test_share"] = (
            number(shares[0])
            if len(shares) == 1 and "=" not in shares[0]
            else {
                name: number(value)
                for name, value in _by_name("--test-share", shares, how, str.rpartition).items()
            }
        )
    return found or None


def _add_each(added, name, ways):
    """Add an option without a value for each value of a field: option -> value, and its help."""
    group = added.add_mutually_exclusive_group()
    for flag, (value, meaning) in ways.items():
        group.add_argument(f"--{flag}", dest=name, action="store_const", const=value, help=meaning)


def _help(said):
    """Write the help of an option."""
    again = " May be repeated." if said.again else ""
    text = f"{said.meaning}{again} (default: {said.left_out})"
    return text.replace("`", "").replace("%", "%%")


def given(options, names):
    """Return the values of options that are given.

    `options`: arguments of a command. `names` (sequence of str): fields.

    Returns dict. Field -> value, not checked.

    Raises `InputError`: if a value is not written as it must be.
    """
    found = {
        name: repeats(options) if name == "repeats" else getattr(options, name, None)
        for name in names
    }
    return {
        name: READ[name](value) if name in READ else value
        for name, value in found.items()
        if value is not None
    }


def number(text):
    """Return a whole number or another one, if the text is one, else the text."""
    if re.fullmatch(r"[+-]?[0-9]+", text):
        return int(text)
    try:
        return text if "_" in text else float(text)
    except ValueError:
        return text


def one_or_several(values):
    """Return the value of an option, or all of them if it is given again."""
    return values if len(values) > 1 else values[0]


def items(text):
    """Return the number of items, also of each dataset, or the file with all identifiers."""
    if "=" in text and not Path(text).exists():
        return {name: number(n) for name, n in by_dataset("items", text).items()}
    found = number(text)
    return found if isinstance(found, int) or not text else str(Path(text).absolute())


def by_dataset(key, text):
    """Read a name for all datasets, or such as "arc_easy=acc_norm,gsm8k=exact_match" for each.

    `key`: what is named: "metric" or "filter". `text`: what stands behind the option.

    Returns str or dict of str to str. The name, or dataset -> name.

    Raises `InputError`: if one part of several has no name of a dataset.
    """
    from replicability import checks

    if "=" not in text:
        return text
    found = {}
    for part in text.split(","):
        dataset, _, name = (x.strip() for x in part.partition("="))
        if not dataset or not name:
            raise checks.InputError(
                f"{checks.named(key)} has the part {part!r}, which is not of the form "
                f"dataset=name; write, for example, {checks.named(key)} "
                "arc_easy=acc_norm,gsm8k=exact_match."
            )
        found[dataset] = name
    return found


def test_options(texts):
    """Read options of a test from the values of --option.

    `texts` (sequence of str): such as "n_resamples=10000": a name, and a value as in YAML.

    Returns dict. Name -> value.

    Raises `InputError`: if a value is not written like this, or a name is there twice.

    Examples
    --------
    >>> test_options(["n_resamples=999", "kind=pearson"])
    {'n_resamples': 999, 'kind': 'pearson'}
    """
    how = "is not of the form name=value; write, for example, --option n_resamples=10000"
    return {name: _yaml(value) for name, value in _by_name("--option", texts, how).items()}


def _yaml(text):
    """Read a value as YAML, or as text if it is none."""
    import yaml

    try:
        return yaml.safe_load(text)
    except yaml.YAMLError:
        return text


def _by_name(option, texts, how, split=str.partition):
    """Read values such as "name=value"; refuse a name that is given twice."""
    from replicability import checks

    found = {}
    for text in texts:
        name, _, value = (part.strip() for part in split(text, "="))
        if not (name and value):
            raise checks.InputError(f"{option} {text!r} {how}.")
        if name in found:
            raise checks.InputError(f"{option} names {name!r} twice; name it once.")
        found[name] = value
    return found


# --- margins -------------------------------------------------------------------------------------


def margin(texts):
    """Read the margin of all datasets, or of each, from the values of --margin.

    `texts` (sequence of str): one number, or such as "news=0.01" for each dataset.

    Returns float or dict of str to float. The number, or dataset -> number.

    Raises `InputError`: if a value is no number, a dataset is named twice, or both ways are mixed.

    Examples
    --------
    >>> margin(["0.01"]), margin(["news=0.01", "law=0.02"])
    (0.01, {'news': 0.01, 'law': 0.02})
    """
    if len(texts) == 1 and "=" not in texts[0]:
        return _number(texts[0], texts[0])
    how = (
        "is not of the form dataset=number; give one number for all datasets, or one for each, for "
        "example --margin news=0.01"
    )
    found = _by_name("--margin", texts, how, str.rpartition)
    return {name: _number(value, f"{name}={value}") for name, value in found.items()}


def labels(texts):
    """Read labels for names from the values of --label.

    `texts` (sequence of str): such as "squad_v2=SQuAD 2.0".

    Returns dict of str to str. Name -> label.

    Raises `InputError`: if a value is not written like this, or a name is given twice.

    Examples
    --------
    >>> labels(["squad_v2=SQuAD 2.0", "ours = Ours (7B)"])
    {'squad_v2': 'SQuAD 2.0', 'ours': 'Ours (7B)'}
    """
    how = "is not of the form name=label; write, for example, --label 'squad_v2=SQuAD 2.0'"
    return _by_name("--label", texts, how)


def metrics(texts):
    """Read metrics, and which score is better, from the values of --metrics.

    `texts` (sequence of str): names, or such as "wer=lower".

    Returns list of str or dict of str to str. Names, or name -> "higher" or "lower" where each has
    one.

    Raises `InputError`: if a value is not written like this, a name is given twice, or only some
    have a direction.

    Examples
    --------
    >>> metrics(["f1", "judge"]), metrics(["f1=higher", "wer=lower"])
    (['f1', 'judge'], {'f1': 'higher', 'wer': 'lower'})
    """
    from replicability import checks

    directed = [text.endswith(("=higher", "=lower")) for text in texts]
    if not any(directed):
        return texts
    if not all(directed):
        bare = texts[directed.index(False)]
        raise checks.InputError(
            f"--metrics gives a direction for some metrics, but not for {bare!r}; write, for "
            "example, --metrics f1=higher wer=lower."
        )
    how = (
        "is not of the form metric=higher or metric=lower; write, for example, --metrics wer=lower"
    )
    return _by_name("--metrics", texts, how, str.rpartition)


def _number(value, text):
    """Return a number that is written in an option."""
    from replicability import checks

    try:
        return float(value)
    except ValueError:
        raise checks.InputError(
            f"--margin {text!r} is not a number; write, for example, --margin 0.01, in the unit "
            "of the score, or --margin news=0.01 for each dataset."
        ) from None


# --- groups of datasets --------------------------------------------------------------------------


def groups(texts, option="--group"):
    """Read groups of datasets from the values of an option.

    `texts` (sequence of str): such as "written=news,letters". Names are separated by commas; one
    that holds a comma stands in double quotes, as in CSV. `option`: the option, for messages.

    Returns dict of str to list of str. Name of the group -> names of its datasets, at least one.

    Raises `InputError`: if a value is not written like this, or two have the same name.

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
            alone = f", or {option} alone after the files" if option == "--shared" else ""
            raise checks.InputError(
                f"{option} {text!r} is not of the form group=datasets; write, for "
                f"example, {option} 'written=news,letters'{alone}."
            )
        if name in found:
            raise checks.InputError(
                f"{option} defines {name!r} twice; rename one of the groups, or list all datasets "
                "of the group in one entry."
            )
        if not members:
            raise checks.InputError(
                f"{option} {name!r} lists no datasets; write them after the equals sign, separated "
                "by commas."
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
            f"{place}: the quotes in {text!r} do not match; enclose a name that contains a comma "
            "in double quotes, such as '\"Paris, Texas\",Rome'."
        ) from None
    return [cell.strip() for cell in cells]


def shared(values):
    """Read from the values of --shared which datasets share units.

    `values` (sequence of str or True): true where the option has no value; else as `groups` takes
    it.

    Returns True or dict of str to list of str. True if all datasets may share units.

    Raises `InputError`: as `groups`, or if both are said.
    """
    from replicability import checks

    named = [value for value in values if value is not True]
    if not named:
        return True
    if len(named) < len(values):
        raise checks.InputError(
            "--shared is given both without a value, for all datasets, and with the names of some "
            "datasets; use only one of the two."
        )
    return groups(named, "--shared")


def asked_first(texts):
    """Read the pairs that are tested first from the values of --ask-first.

    `texts` (sequence of str): such as "neighbours=x,y,z"; names as in `groups`.

    Returns dict of str to list of str. Name of a family -> its systems.

    Raises `InputError`: if a value is not written like this, or a name is given twice.

    Examples
    --------
    >>> asked_first(["leader=x", "neighbours=x, y, z"])
    {'leader': 'x', 'neighbours': ['x', 'y', 'z']}
    """
    how = (
        "is not of the form leader=x or neighbours=x,y,z; write, for example, --ask-first "
        "neighbours=x,y,z"
    )
    found = {
        name: _separated(f"--ask-first {name}", members)
        for name, members in _by_name("--ask-first", texts, how).items()
    }
    alone = {name: of[0] for name, of in found.items() if name == "leader" and len(of) == 1}
    return found | alone


READ = {
    **{key: functools.partial(by_dataset, key) for key in ("metric", "filter", "tokenize")},
    "items": items,
    **dict.fromkeys(("dataset", "alpha", "successes", "trials"), one_or_several),
    "groups": groups,
    "ask_first": asked_first,
    "shared": shared,
    "margin": margin,
    "labels": labels,
    "metrics": metrics,
    "options": test_options,
}
"""Maps a field to the function that parses its value; all others are text."""
