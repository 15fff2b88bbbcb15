"""Sections that a study describes itself."""

from replicability.checks import InputError


def check_sections(file, sections, comparisons, host):
    """Check that the sections of a study have names, items and comparisons of their own.

    `file`: the study, for messages. `sections` (dict of str to dict): name -> what the study says
    about it. `comparisons` (sequence of dict): blocks of the study. `host` (host.Host): the
    notebooks that are there already.

    Raises `InputError`: if a notebook has the name, two sections have one item, or no comparison is
    in a section.
    """
    used = {block.get("section") for block in comparisons}
    items = [about["item"] for about in sections.values()]
    for name, about in sections.items():
        if name in host.notebooks:
            raise InputError(
                f"{file}: there is already a notebook {name!r}; give the section another name."
            )
        if items.count(about["item"]) > 1:
            raise InputError(
                f"{file}: two sections have the item {about['item']!r}; give each its own number."
            )
        if name not in used:
            raise InputError(
                f"{file}: the section {name!r} contains no comparisons; add `section: {name}` to "
                "a comparison's block, or leave the section out."
            )
