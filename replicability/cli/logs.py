"""What `compare` takes from logs: metrics and filters by dataset, files that are runs."""


def by_dataset(key, text):
    """Read a name for all datasets, or such as "arc_easy=acc_norm,gsm8k=exact_match" for each.

    Parameters
    ----------
    key : str
        What is named: "metric" or "filter".
    text : str
        What stands behind the option.

    Returns
    -------
    str or dict of str to str
        The name, or dataset -> name.

    Raises
    ------
    InputError
        If one part of several has no name of a dataset.
    """
    from replicability import checks

    if "=" not in text:
        return text
    found = {}
    for part in text.split(","):
        dataset, _, name = (x.strip() for x in part.partition("="))
        if not dataset or not name:
            raise checks.InputError(
                f"{checks.named(key)} has the part {part!r}, but names one for each dataset; write "
                f"it such as {checks.named(key)} arc_easy=acc_norm,gsm8k=exact_match."
            )
        found[dataset] = name
    return found


def refuse_columns_of_runs(text):
    """Refuse a column of runs, which logs have not; ``file`` says that each of them is a run."""
    from replicability import checks

    if text and text != "file":
        raise checks.InputError(
            f"--run is {text!r}, but logs have no columns; write --run file if each file is a run "
            "of its system."
        )
