"""The pages of the reference: one for each package, made from its modules."""

import pkgutil

from docutils.nodes import make_id

import analysis
import replicability


def module_names():
    """List the public modules of the package.

    Returns list of str. Such as "replicability.forensics", in alphabetical order; without the
    modules that hold the numbers of single documents.
    """
    return sorted(
        module.name
        for package in (replicability, analysis)
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}.")
        if not any(part.startswith("_") for part in module.name.split("."))
        and not f"{module.name}.".startswith("analysis.numbers.")
    )


def package_names():
    """List the packages, each of which has a page.

    Returns list of str. Such as "replicability.forensics", in alphabetical order.
    """
    below = {name.rpartition(".")[0] for name in module_names()}
    return sorted(below | {"analysis", "replicability"})


def package_page(name):
    """Write the page of a package.

    `name`: dotted name.

    Returns str. reStructuredText: what the package says of itself, then each of its modules with
    what it offers, below a target of its name.
    """
    modules = [n for n in module_names() if n.rpartition(".")[0] == name]
    described = [_described(n) for n in modules if n not in package_names()]
    return f".. _{target_of(name)}:\n\n{_titled(name, '=')}.. automodule:: {name}\n" + "".join(
        described
    )


def _described(module):
    target = f"\n.. _{target_of(module)}:\n\n"
    shown = "   :members:\n   :exclude-members: set\n"  # which matplotlib writes into its artists
    return f"{target}{_titled(module, '-')}.. automodule:: {module}\n{shown}"


def _titled(name, line):
    return f"{name}\n{line * len(name)}\n\n"


def target_of(module):
    """Name the target of a module or package in the reference."""
    return make_id(f"reference {module}")


def api_index():
    """Write the page from which those of the packages are reached.

    Returns str. reStructuredText.
    """
    packages = "\n".join(f"   {name}" for name in package_names())
    return (
        f"{_titled('The packages', '=')}The library is ``replicability``; the chapters import "
        f"``analysis``, too.\n\n.. toctree::\n   :maxdepth: 1\n\n{packages}\n"
    )
