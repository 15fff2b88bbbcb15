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


for section, about in STUDY.sections.items():

    rule:
        name:
            section
        input:
            notebook=f"{RUN}/sections/{section}.ipynb",
            code=project.modules("notebooks/pos_tagging.ipynb"),
            data=files(section),
            remarks=remarks(section),
        output:
            executed=executed(section),
            provenance=provenance(section),
            made=figures(about["title"], *drawn(section, about["item"]))
            + tables(
                about["title"], f"{about['item']}_{section}", f"{about['item']}_both_directions"
            ),
        log:
            f"{RUN}/logs/{section}.log",
        conda:
            "../environment.yml"
        params:
            parameters=json.dumps(SHARED),
            comparisons=STUDY.section_blocks(section),
        shell:
            "{sys.executable:q} scripts/run_notebook.py {input.notebook:q}"
            " --executed {output.executed:q} --parameters {params.parameters:q} --inputs {input:q}"
            " --outputs {output.made:q} --provenance {output.provenance:q} 2>&1 | tee {log:q}"
