# From a study to figures and tables: one rule for each notebook of config/items.yaml that the study
# asks for, all made alike.
import json
from dataclasses import asdict

from analysis import paths
from replicability.io import provenance

RUN = f"results/{STUDY.name}"
FIGURES = project.folder(STUDY.name, "figures")
TABLES = project.folder(STUDY.name, "tables")
FOLDERS = {"html": f"{RUN}/report", "svg": FIGURES, "png": FIGURES}

# The heading of Snakemake's report: a study of one's own is no part of a paper.
PART = "" if STUDY.name in items.FOLDERS else items.heading(STUDY.name)

# For the captions of Snakemake's report; a rule does not depend on it.
config["items"] = {
    notebook.name: {item.stem: items.plain(item.caption or item.title) for item in found}
    for notebook, found in ((notebook, notebook.items(STUDY)) for notebook in NOTEBOOKS)
}


def made(item, ending, part):
    """Return a file of an item; one that can be looked at is shown in Snakemake's report."""
    file = update(f"{FOLDERS.get(ending, TABLES)}/{item.stem}.{ending}")
    if item.kind == "pages" or ending not in ("html", "svg"):
        return file
    return report(
        file,
        caption="../config/report/item.rst",
        category=part,
        subcategory=items.plain(item.title),
        labels={"item": item.stem, "kind": item.kind.removesuffix("s")},
    )


for notebook in NOTEBOOKS:
    needed = project.inputs(notebook, STUDY)

    rule:
        name:
            notebook.name
        input:
            **needed,
        output:
            executed=update(f"{RUN}/notebooks/{notebook.name}.ipynb"),
            provenance=update(f"{TABLES}/provenance/{notebook.name}.json"),
            made=[
                made(item, ending, PART or notebook.part)
                for item in notebook.items(STUDY)
                for ending in item.endings
            ],
        log:
            f"{RUN}/logs/{notebook.name}.log",
        priority: int(notebook.long)
        conda:
            "../environment.yml"
        params:
            parameters=json.dumps(project.parameters(notebook, STUDY, STUDY_FILE)),
            # A file that was moved here may be older than what it changes.
            digests=[
                provenance.digest(paths.ROOT / file)
                for kind in ("code", "data", "remarks")
                for file in needed[kind]
                if (paths.ROOT / file).is_file()
            ],
            made_from=assembly.sources(STUDY_FILE, STUDY, notebook.name) if notebook.made else [],
            comparisons=[asdict(block) for block in notebook.blocks(STUDY)],
        shell:
            "{sys.executable:q} scripts/run_notebook.py {input.notebook:q} --executed {output.executed:q}"
            " --parameters {params.parameters:q} --inputs {input:q}"
            " --outputs {output.made:q} --provenance {output.provenance:q}"
            " --made-from {params.made_from:q} 2>&1 | tee {log:q}"
