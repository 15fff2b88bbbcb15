# Dror et al. (2017), re-run: one rule per notebook; rule = notebook = log = executed copy.
#
#     snakemake                                     the published study, config/paper.yaml
#     snakemake --configfile config/mine.yaml       another study, into results/<study>
#     snakemake --report report.html                figures and tables on one page
#     snakemake outcomes                            the open study's data, see rules/outcomes.smk
#     snakemake random_splits                       taggers on random splits, see rules/splits.smk
#     snakemake simulations                         Section 5 at scale, see rules/simulations.smk
#     snakemake dependence                          datasets that share units, see the same file
import json
import os
import sys
from glob import glob
from pathlib import Path

from snakemake.exceptions import WorkflowError

from analysis import workflow as project
from replicability import checks
from replicability.io.pvalues import check_comparison
from replicability.io.study import read_study

try:
    settings = workflow.config_settings
    STUDY_FILE = project.study_file(settings.configfiles, settings.config)
    STUDY = read_study(STUDY_FILE)
    for comparison in (*STUDY.comparisons, *STUDY.families):
        check_comparison(comparison)
except checks.InputError as error:
    raise WorkflowError(str(error)) from None


# Jobs import this checkout's `analysis`, whatever the environment of the user names.
os.environ["PYTHONPATH"] = workflow.basedir


report: "config/report/study.rst"


RUN = f"results/{STUDY.name}"
FIGURES = project.folder(STUDY.name, "figures")
TABLES = project.folder(STUDY.name, "tables")
SECTIONS = sorted({block.section for block in (*STUDY.comparisons, *STUDY.families)})
TOY = STUDY.notebooks.get("toy_simulations", {})
SHOWN = [*SECTIONS, *(["summary"] if set(SECTIONS) - {"your_comparison"} else [])]
SHOWN += [*STUDY.notebooks, *(["audit"] if TOY else [])]
SHOWN += ["open_study"] if STUDY.name == "open" else []
SHARED = {"study": STUDY_FILE, "alphas": list(STUDY.alphas)}


def executed(notebook):
    return update(f"{RUN}/notebooks/{notebook}.ipynb")


def shown(path, category):
    return report(
        update(path),
        caption="config/report/item.rst",
        category=category,
        labels={
            "item": Path(path).stem,
            "kind": {".svg": "figure", ".html": "table"}[Path(path).suffix],
        },
    )


def provenance(notebook):
    return update(f"{TABLES}/provenance/{notebook}.json")


def figures(category, *stems):
    svg = [shown(f"{FIGURES}/{stem}.svg", category) for stem in stems]
    return svg + [update(f"{FIGURES}/{stem}.png") for stem in stems]


def tables(category, *stems):
    html = [shown(f"{RUN}/report/{stem}.html", category) for stem in stems]
    kinds = ("csv", "md", "tex")
    return html + [update(f"{TABLES}/{stem}.{kind}") for stem in stems for kind in kinds]


def drawn(section, item):
    return [f"{item}_{c.name}" for c in STUDY.comparisons if c.section == section]


def files(*sections):
    blocks = [*STUDY.comparisons, *STUDY.families]
    return project.files_below(
        p for block in blocks if block.section in sections for p in block.paths
    )


def remarks(section):
    return f"{STUDY.remarks}/{section}.md" if STUDY.remarks else []


def own(notebook, **shared):
    return json.dumps(STUDY.notebooks.get(notebook, {}) | shared)


def own_files(notebook, *keys):
    return [STUDY.notebooks.get(notebook, {}).get(key, []) for key in keys]


def published(*items):
    return [f"data/published/dror2017/{item}.csv" for item in items]


rule toy_simulations:
    input:
        notebook="notebooks/toy_simulations.ipynb",
        code=project.modules("notebooks/toy_simulations.ipynb"),
        data=published("section5"),
    output:
        executed=executed("toy_simulations"),
        provenance=provenance("toy_simulations"),
        made=figures("Section 5", "figure1_k_hat_histogram", "section5_overestimation")
        + tables("Section 5", "section5_toy_examples"),
    log:
        f"{RUN}/logs/toy_simulations.log",
    conda:
        "environment.yml"
    params:
        parameters=own("toy_simulations"),
    shell:
        "{sys.executable:q} scripts/run_notebook.py {input.notebook:q} --executed {output.executed:q}"
        " --parameters {params.parameters:q} --inputs {input:q}"
        " --outputs {output.made:q} --provenance {output.provenance:q} 2>&1 | tee {log:q}"


use rule toy_simulations as dependency_parsing with:
    input:
        notebook="notebooks/dependency_parsing.ipynb",
        code=project.modules("notebooks/dependency_parsing.ipynb"),
        data=files("dependency_parsing"),
        remarks=remarks("dependency_parsing"),
    output:
        executed=executed("dependency_parsing"),
        provenance=provenance("dependency_parsing"),
        made=figures("Table 2", *drawn("dependency_parsing", "table2"))
        + tables("Table 2", "table2_dependency_parsing", "table2_both_directions"),
    log:
        f"{RUN}/logs/dependency_parsing.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks("dependency_parsing"),


use rule toy_simulations as pos_tagging with:
    input:
        notebook="notebooks/pos_tagging.ipynb",
        code=project.modules("notebooks/pos_tagging.ipynb"),
        data=files("pos_tagging"),
        remarks=remarks("pos_tagging"),
    output:
        executed=executed("pos_tagging"),
        provenance=provenance("pos_tagging"),
        made=figures("Table 3", *drawn("pos_tagging", "table3"))
        + tables("Table 3", "table3_pos_tagging", "table3_both_directions"),
    log:
        f"{RUN}/logs/pos_tagging.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks("pos_tagging"),


use rule toy_simulations as sentiment with:
    input:
        notebook="notebooks/sentiment.ipynb",
        code=project.modules("notebooks/sentiment.ipynb"),
        data=files("sentiment"),
        remarks=remarks("sentiment"),
    output:
        executed=executed("sentiment"),
        provenance=provenance("sentiment"),
        made=figures("Table 4", *drawn("sentiment", "table4"))
        + tables("Table 4", "table4_sentiment", "table4_both_directions"),
    log:
        f"{RUN}/logs/sentiment.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks("sentiment"),


use rule toy_simulations as word_similarity with:
    input:
        notebook="notebooks/word_similarity.ipynb",
        code=project.modules("notebooks/word_similarity.ipynb"),
        data=files("word_similarity"),
        remarks=remarks("word_similarity"),
    output:
        executed=executed("word_similarity"),
        provenance=provenance("word_similarity"),
        made=figures("Table 5", *drawn("word_similarity", "table5"))
        + tables("Table 5", "table5_word_similarity", "table5_both_directions"),
    log:
        f"{RUN}/logs/word_similarity.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks("word_similarity"),


use rule toy_simulations as summary with:
    input:
        notebook="notebooks/summary.ipynb",
        code=project.modules("notebooks/summary.ipynb"),
        data=[*files(*SECTIONS), *published("table1", "footnote13")],
        remarks=remarks("summary"),
    output:
        executed=executed("summary"),
        provenance=provenance("summary"),
        made=figures("Table 1", "table1_k_hat")
        + tables("Table 1", "table1_summary", "section7_more_estimators"),
    log:
        f"{RUN}/logs/summary.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks(*SECTIONS),


use rule toy_simulations as audit with:
    input:
        notebook="notebooks/audit.ipynb",
        code=project.modules("notebooks/audit.ipynb"),
        data=sorted(
            {*files(*SECTIONS), *glob("data/published/*/*.csv"), "data/outcomes/ner.parquet"}
        ),
    output:
        executed=executed("audit"),
        provenance=provenance("audit"),
        made=figures("Audit", "audit_verdicts") + tables("Audit", "audit", "audit_totals"),
    log:
        f"{RUN}/logs/audit.log",
    params:
        parameters=json.dumps(SHARED | {name: TOY.get(name) for name in project.AUDIT_TOY}),
        comparisons=STUDY.section_blocks(*SECTIONS),


use rule toy_simulations as test_sizes with:
    input:
        notebook="notebooks/test_sizes.ipynb",
        code=project.modules("notebooks/test_sizes.ipynb"),
    output:
        executed=executed("test_sizes"),
        provenance=provenance("test_sizes"),
        made=figures("Section 6.2", "test_sizes") + tables("Section 6.2", "test_sizes"),
    log:
        f"{RUN}/logs/test_sizes.log",
    priority: 1
    params:
        parameters=own("test_sizes", alphas=list(STUDY.alphas)),


use rule toy_simulations as sogaard_toy_examples with:
    input:
        notebook="notebooks/sogaard_toy_examples.ipynb",
        code=project.modules("notebooks/sogaard_toy_examples.ipynb"),
        data=[
            f"data/published/sogaard2014/{item}.csv"
            for item in ("section3_toy_examples", "section4")
        ],
    output:
        executed=executed("sogaard_toy_examples"),
        provenance=provenance("sogaard_toy_examples"),
        made=figures("Søgaard et al. 2014", "sogaard_figure2_toy_examples", "sogaard_figure7_ppv")
        + tables("Søgaard et al. 2014", "sogaard_section3_toy_examples", "sogaard_section4_ppv"),
    log:
        f"{RUN}/logs/sogaard_toy_examples.log",
    params:
        parameters=own("sogaard_toy_examples", alphas=list(STUDY.alphas)),


use rule toy_simulations as sogaard_real_outputs with:
    input:
        notebook="notebooks/sogaard_real_outputs.ipynb",
        code=project.modules("notebooks/sogaard_real_outputs.ipynb"),
        data=[
            "data/outcomes/parsing.parquet",
            "data/outcomes/ner.parquet",
            "data/published/sogaard2014/text.csv",
        ],
    output:
        executed=executed("sogaard_real_outputs"),
        provenance=provenance("sogaard_real_outputs"),
        made=figures(
            "Søgaard et al. 2014",
            "sogaard_figure1_accuracies",
            "sogaard_figure2_real_outputs",
            "sogaard_figure3_pos_sample_size",
            "sogaard_figure4_parsing_sample_size",
            "sogaard_figure5_ner_sample_size",
            "sogaard_figure6_sentence_length_pos",
            "sogaard_figure6_sentence_length_parsing",
            "sogaard_figure6_sentence_length_ner",
        )
        + tables(
            "Søgaard et al. 2014",
            "sogaard_table1_data",
            "sogaard_table2_pos",
            "sogaard_table3_parsing",
            "sogaard_table4_subsamples",
            "sogaard_section3_ner",
            "sogaard_counts_beside_published",
            "sogaard_family_counts",
            "sogaard_domain_counts",
        ),
    log:
        f"{RUN}/logs/sogaard_real_outputs.log",
    priority: 1
    params:
        parameters=own("sogaard_real_outputs", alphas=list(STUDY.alphas)),


use rule toy_simulations as gorman_standard_splits with:
    input:
        notebook="notebooks/gorman_standard_splits.ipynb",
        code=project.modules("notebooks/gorman_standard_splits.ipynb"),
        data=own_files("gorman_standard_splits", "outcomes", "sizes")
        + [
            f"data/published/gorman2019/{item}.csv"
            for item in ("table1", "table2", "table3", "text")
        ],
        remarks=remarks("gorman_standard_splits"),
    output:
        executed=executed("gorman_standard_splits"),
        provenance=provenance("gorman_standard_splits"),
        made=figures(
            "Gorman and Bedrick 2019", "gorman_figure1_accuracies", "gorman_table3_differences"
        )
        + tables(
            "Gorman and Bedrick 2019",
            "gorman_table1_splits",
            "gorman_table2_standard_split",
            "gorman_table3_random_splits",
            "gorman_table3_all_pairs",
            "gorman_figure1_ranges",
            "gorman_section3_2_pairs",
            "gorman_section3_2_rankings",
            "gorman_section3_3_design_effects",
            "gorman_section3_4_progress",
            "gorman_section4_unknown_words",
        ),
    log:
        f"{RUN}/logs/gorman_standard_splits.log",
    params:
        parameters=own("gorman_standard_splits", **SHARED),


use rule toy_simulations as gorman_error_analysis with:
    input:
        notebook="notebooks/gorman_error_analysis.ipynb",
        code=project.modules("notebooks/gorman_error_analysis.ipynb"),
        data=own_files("gorman_error_analysis", "outcomes", "tags")
        + [f"data/published/gorman2019/{item}.csv" for item in ("table4", "text")],
        remarks=remarks("gorman_error_analysis"),
    output:
        executed=executed("gorman_error_analysis"),
        provenance=provenance("gorman_error_analysis"),
        made=figures("Gorman and Bedrick 2019", "gorman_section3_4_agreement")
        + tables(
            "Gorman and Bedrick 2019",
            "gorman_table4_lowest_agreement",
            "gorman_section3_4_disagreement",
            "gorman_section3_4_kinds",
            "gorman_section3_4_lowest",
            "gorman_section3_4_confusions",
        ),
    log:
        f"{RUN}/logs/gorman_error_analysis.log",
    params:
        parameters=own("gorman_error_analysis", study=STUDY_FILE),


use rule toy_simulations as dependent_datasets with:
    input:
        notebook="notebooks/dependent_datasets.ipynb",
        code=project.modules("notebooks/dependent_datasets.ipynb"),
        data=own_files("dependent_datasets", "outcomes", "simulations"),
    output:
        executed=executed("dependent_datasets"),
        provenance=provenance("dependent_datasets"),
        made=figures("Section 4.2", "dependence_reviews", "dependence_grid")
        + tables("Section 4.2", "dependence_counts", "dependence_bounds", "dependence_errors"),
    log:
        f"{RUN}/logs/dependent_datasets.log",
    params:
        parameters=own("dependent_datasets"),


OWN = [c.name for c in STUDY.comparisons if c.section == "your_comparison"]
OWN_FAMILIES = [f.name for f in STUDY.families if f.section == "your_comparison"]


use rule toy_simulations as your_comparison with:
    input:
        notebook="notebooks/your_comparison.ipynb",
        code=project.modules("notebooks/your_comparison.ipynb")
        + ["replicability/show/html_report.html.jinja"],
        data=files("your_comparison"),
    output:
        executed=executed("your_comparison"),
        provenance=provenance("your_comparison"),
        made=figures("Comparisons", *OWN, *OWN_FAMILIES)
        + tables("Comparisons", *OWN, "counts", "both_directions", "families")
        + [update(f"{RUN}/report/report.html")],
    log:
        f"{RUN}/logs/your_comparison.log",
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks("your_comparison"),


use rule toy_simulations as open_study with:
    input:
        notebook="notebooks/open_study.ipynb",
        code=project.modules("notebooks/open_study.ipynb"),
        data=files(*SECTIONS),
        published="config/paper.yaml",
        remarks=remarks("open_study"),
    output:
        executed=executed("open_study"),
        provenance=provenance("open_study"),
        made=figures("Open study", *[f"all_pairs_{family.name}" for family in STUDY.families])
        + tables("Open study", "table1_beside_published", "all_pairs"),
    log:
        f"{RUN}/logs/open_study.log",
    priority: 1
    params:
        parameters=json.dumps(SHARED),
        comparisons=STUDY.section_blocks(*SECTIONS),


include: "rules/outcomes.smk"
include: "rules/splits.smk"
include: "rules/simulations.smk"


rule all:
    default_target: True
    input:
        [getattr(rules, name).output for name in SHOWN],
