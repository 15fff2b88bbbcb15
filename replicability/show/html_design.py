"""The page of a design: sentences, tables and figure in one file that is complete in itself."""

from replicability.core import design_wording
from replicability.show.html_elements import inline_svg
from replicability.show.templates import environment


def page(plan):
    """Return the page of a plan.

    `plan` (api.plan.Plan): the plan.

    Returns str. An HTML document that needs no other file and makes no request.
    """
    return (
        environment()
        .get_template("plain.html.jinja")
        .render(
            name="design",
            title=design_wording.title(plan.suite),
            sentences=plan.sentences,
            figure=inline_svg(plan.figure(), "design", design_wording.ALT),
            tables=plan.view,
            notes=plan.notes,
        )
    )
