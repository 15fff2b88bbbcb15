# Sections on tasks that a study describes itself (docs/adapt.md): their notebooks are made from the
# template from which those in notebooks/ are made.
rule task_notebook:
    input:
        script="scripts/task_notebooks.py",
        template="scripts/task_section.md",
    output:
        f"{RUN}/sections/{{section}}.ipynb",
    log:
        f"{RUN}/logs/{{section}}_notebook.log",
    conda:
        "../environment.yml"
    params:
        study=STUDY_FILE,
        about=lambda wildcards: [*STUDY.sections[wildcards.section].items(), *STUDY.alphas],
    shell:
        "{sys.executable:q} {input.script:q} --study {params.study:q}"
        " --section {wildcards.section:q} --output {output:q} 2>&1 | tee {log:q}"
