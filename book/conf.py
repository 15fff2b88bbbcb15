"""Sphinx: the settings of the book, mathematics as MathML, and links in prose."""

import contextlib
import sys
from pathlib import Path

from docutils import nodes
from pygments.lexers.special import TextLexer
from sphinx import addnodes
from sphinx.util import logging

sys.path.insert(0, str(Path(__file__).parent))

import accessible
import bibliography
import build
import chapters
import explorer
import holds
import lighter
import links
import navigation
import shown
from mathematics import mathml

import replicability
from replicability.show import html_explorer

project = "Replicability analysis"
html_title = "On how many datasets is A better than B?"
author = "the replicability-analysis authors"
release = replicability.__version__
extensions = [
    "myst_nb",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
]
smartquotes = False

# Pages and notebooks
exclude_patterns = ["tables/**"]
myst_enable_extensions = ["amsmath", "colon_fence", "dollarmath"]
myst_heading_anchors = 3
nb_execution_mode = "off"
nb_merge_streams = True
nb_render_markdown_format = "myst"

# The API reference
default_role = "py:obj"
suppress_warnings = ["ref.python"]  # a name that two modules have leads to one of them
autodoc_member_order = "bysource"
napoleon_google_docstring = False
napoleon_use_ivar = True

# The site
html_theme = "theme"
html_theme_path = ["."]
html_math_renderer = "mathml"
html_static_path = [str(html_explorer.FOLDER / file) for file in html_explorer.FILES]
html_favicon = "theme/static/favicon.svg"
html_context = {
    "commit": build.commit(),
    "paper": bibliography.read()["dror2017"],
    "pdf": build.PAPER.name if build.PAPER.is_file() else "",
}
html_domain_indices = False
html_use_index = False
html_copy_source = False

logger = logging.getLogger(__name__)
with contextlib.chdir(build.paths.ROOT):  # Sphinx reads this file in its folder
    MAP = build.rows()
    LABELS = shown.labels(MAP)
    PARTS = build.parts(MAP)
    TARGETS = links.link_targets(MAP, build.documents())
    WORKS = bibliography.read()


def put_links(app, name, content):
    """Link what the prose of guides and notebooks names; `content` is changed in place."""
    file = app.env.doc2path(name, base=False).as_posix()
    if file.endswith(".ipynb"):
        content[0] = chapters.chapter(content[0], file, MAP, LABELS, TARGETS, WORKS)
    elif file in TARGETS:
        content[0] = links.linked(content[0], TARGETS, WORKS)
    content[0] = explorer.placed(content[0])


def put_mathml(writer, node, display):
    """Write a formula as MathML; one that cannot be is a warning and stands as it is."""
    try:
        writer.body.append(mathml(node.astext(), display))
    except Exception as error:
        logger.warning("cannot convert %s to MathML: %s", node.astext(), error, location=node)
        writer.body.append(f"<code>{writer.encode(node.astext())}</code>")


def visit_math(writer, node):
    """Write a formula in a line of text."""
    put_mathml(writer, node, "inline")
    raise nodes.SkipNode


def visit_math_block(writer, node):
    """Write a formula on lines of its own."""
    writer.body.append(writer.starttag(node, "div", CLASS="math-block", tabindex="0"))
    put_mathml(writer, node, "block")
    writer.body.append("</div>\n")
    raise nodes.SkipNode


def leave_places_out(app, tree):
    """Take the values of constants out that are places on this machine."""
    for value in list(tree.findall(addnodes.desc_annotation)):
        if "Path('" in value.astext():
            value.parent.remove(value)


def leave_letters(app, doctree):
    """Take the links from single letters: they are quantities, and no attributes called so."""
    for node in [*doctree.findall(addnodes.pending_xref)]:
        if len(node.get("reftarget", "")) == 1:
            node.replace_self(node.children)


def put_frame(app, page, template, context, doctree):
    """Give a page the contents of the book and a description, and mend its tables."""
    titles = {name: title.astext() for name, title in app.env.titles.items()}
    context["parts"] = navigation.titled(PARTS, titles)
    context["description"] = navigation.description(doctree)
    context["body"] = lighter.page(accessible.mended(context.get("body", "")))


def put_places(app, exception):
    """Write what the search finds by its name."""
    if exception is None:
        titles = {name: title.astext() for name, title in app.env.titles.items()}
        script = navigation.places(titles, MAP, LABELS, chapters.page_of, holds.finding_of)
        (app.outdir / "_static/places.js").write_text(script, encoding="utf-8")


def setup(app):
    """Register the renderer of mathematics and the links."""
    app.add_html_math_renderer("mathml", (visit_math, None), (visit_math_block, None))
    app.add_lexer("csv", TextLexer)
    app.connect("source-read", put_links)
    app.connect("html-page-context", explorer.put)
    app.connect("html-page-context", put_frame)
    app.connect("build-finished", put_places)
    app.connect("doctree-read", leave_places_out)
    app.connect("doctree-read", leave_letters)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
