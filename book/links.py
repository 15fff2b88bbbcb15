"""Links from what prose names to its place in the book."""

import re
from pathlib import PurePosixPath

import bibliography
from reference import module_names, target_of
from shown import name_of


def linked(text, pages, works):
    """Turn names of files, modules and works in prose into links to their places.

    `text`: Markdown in which files are named as inline code; after the opening fence of a block of
    code may stand the name of a file that has this content, which is shown above the block. `pages`
    (dict of str to str): file -> target of the link. `works`: the bibliography, as
    `bibliography.read` returns it.

    Returns str. Markdown; what is a link already stays, but for one to the map of files, in whose
    place the book has its own.
    """

    def link(match):
        target = pages.get(match[1])
        return f"[{match[0]}]({target})" if target else match[0]

    text = bibliography.cited(text, works)
    text = re.sub(r"\]\((?:docs/)?map\.md\)", "](/map.md)", text)
    text = re.sub(r"(?<![`\[])`([\w./]+)`(?![`\]])", link, text)
    text = re.sub(r"!\[([^\]]*)\]\((figures/[\w/]+)\.png\)", r'<img src="\2.svg" alt="\1">', text)
    return re.sub(r"^```(\w+) (\S+)$", r"`\2`\n\n```\1", text, flags=re.MULTILINE)


def link_targets(found, documents):
    """List what prose can name and the book has a place for.

    `found` (list of items.Row): the map of items. `documents` (iterable of str): guides and
    notebooks.

    Returns dict of str to str. File or module -> target of a link in Markdown; a notebook also by
    its name alone.
    """
    targets = {name: f"/{name}" for name in documents}
    targets |= {PurePosixPath(n).name: f"/{n}" for n in documents if n.endswith(".ipynb")}
    for module in module_names():
        path = module.replace(".", "/")
        for name in (module, f"{path}.py", f"{path}/__init__.py"):
            targets[name] = f"#{target_of(module)}"
    return targets | {file: f"#{name_of(file)}" for row in found for file in row.files}
