"""The command `run`: a study's whole report, without notebooks and workflow."""

from pathlib import Path


def run(options):
    """Make the report of a study.

    `options`: arguments of the command `run`.

    Returns dict. ``study``, ``folder``, ``page``, ``files`` (paths as messages show them) and
    ``sentences`` (for each comparison and family its title, what is found, and what was read).

    Raises `InputError`: if the study or one of its inputs is wrong, or the folder cannot be
    written.
    """
    from replicability import checks
    from replicability.api.studies import read_study
    from replicability.io.text import existing, shown

    file = existing(Path(options.study).absolute(), folder=False)
    study = read_study(file)
    if not (study.comparisons or study.declared_families):
        raise checks.InputError(
            f"{shown(file)} has neither comparisons nor families, so there is nothing to report; "
            "add a comparison or a family."
        )
    refuse_without_extra()
    folder = Path(options.into or f"results/{study.name}").absolute()
    made = study.write(folder)
    return {
        "study": study.name,
        "folder": str(folder),
        "page": str(folder / "report" / "report.html"),
        "files": list(map(str, made)),
        "sentences": [
            {
                "title": result.title,
                "said": result.paragraphs(),
                "read": result.read.to_dict(),
            }
            for result in study.ask()
        ]
        + [
            {"title": found.title, "said": found.sentences, "read": found.read}
            for found in study.grids.values()
        ]
        + [
            {"title": family.title, "said": family.sentences, "read": family.read.to_dict()}
            for family in study.families
        ],
    }


def refuse_without_extra():
    """Say how the packages come that draw and write pages, where they are not installed.

    Raises `InputError`: if they are not.
    """
    from importlib.util import find_spec

    from replicability import checks

    missing = [name for name in ("matplotlib", "jinja2", "tabulate") if find_spec(name) is None]
    if missing:
        raise checks.InputError(
            f"A report needs {' and '.join(missing)}; install the extra 'report' with: pip install "
            "'replicability[report]'."
        )


def show_run(answer):
    """Write the answer of `run` as text.

    `answer`: the answer.

    Returns str. What is found, and where the report is.
    """
    from replicability.cli.layout import filled
    from replicability.core import roles

    here = Path.cwd()
    folder = Path(answer["folder"])
    inside = folder.relative_to(here) if folder.is_relative_to(here) else folder
    lines = [
        filled(text)
        for block in answer["sentences"]
        for text in (*block["said"], " ".join(roles.told(block["read"]).values()))
    ]
    kinds = {}
    for file in map(Path, answer["files"]):
        parts = file.relative_to(folder).parts
        kinds.setdefault(parts[0], []).append(parts[-1])
    stems = {kind: sorted({Path(name).stem for name in names}) for kind, names in kinds.items()}
    listed = [
        f"  {inside / 'report' / 'report.html'}   the page for your co-authors",
        *(
            filled(f"  {inside / kind}/   {', '.join(stems[kind])}", "      ")
            for kind in ("tables", "figures")
            if kind in stems
        ),
        f"  {inside / 'provenance.json'}   how they were made",
    ]
    page = f"Next: open {inside / 'report' / 'report.html'} in a browser."
    return "\n\n".join([*lines, "\n".join(["Wrote", *listed]), filled(page)])
