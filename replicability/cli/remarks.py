"""What `compare` notes below its answer."""


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
