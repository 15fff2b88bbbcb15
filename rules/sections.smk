# Sections on tasks, those that a study describes itself (docs/adapt.md) among them: their notebooks
# are assembled from the blocks that the study has a use for, as those in notebooks/ are.
rule task_notebook:
    input:
        script="scripts/task_notebooks.py",
    output:
        f"{RUN}/sections/{{section}}.ipynb",
    log:
        f"{RUN}/logs/{{section}}_notebook.log",
    conda:
        "../environment.yml"
    params:
        study=STUDY_FILE,
        cells=lambda wildcards: [
            cell.source for cell in assembly.notebook(STUDY_FILE, wildcards.section).cells
        ],
    shell:
        "{sys.executable:q} {input.script:q} --study {params.study:q}"
        " --section {wildcards.section:q} --output {output:q} 2>&1 | tee {log:q}"
