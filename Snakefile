# Dror et al. (2017), re-run: one rule per notebook; rule = notebook = log = executed copy.
#
#     snakemake                                     the published study, config/paper.yaml
#     snakemake --configfile config/mine.yaml       another study, into results/<study>
#     snakemake --report report.html                figures and tables on one page
#     snakemake outcomes                            the open study's data, see rules/outcomes.smk
#     snakemake random_splits                       taggers on random splits, see rules/splits.smk
#     snakemake simulations                         Section 5 at scale, see rules/simulations.smk
#     snakemake dependence                          datasets that share units, see the same file
#     snakemake margins                             tests with a margin, see the same file
#     snakemake pairs                               all pairs in blocks, see rules/pairs.smk
#     snakemake levels                              is the default call right? rules/levels.smk
import os
import sys

from snakemake.exceptions import WorkflowError

from analysis import assembly, items
from analysis import workflow as project
from replicability import checks
from replicability.io.pvalues import check_comparison
from analysis.studies import read_study

# Jobs import this checkout's `analysis` and round alike, whatever the environment of the user names.
os.environ["PYTHONPATH"] = workflow.basedir
os.environ.update(project.kernels())

try:
    settings = workflow.config_settings
    STUDY_FILE = project.study_file(settings.configfiles, settings.config)
    STUDY = read_study(STUDY_FILE)
    for comparison in (*STUDY.comparisons, *STUDY.families):
        check_comparison(comparison)
    project.check_name(STUDY.name, STUDY_FILE)
    assembly.check_remarks(STUDY, STUDY_FILE)
    NOTEBOOKS = assembly.asked(STUDY)
    project.check_own(NOTEBOOKS)
except checks.InputError as error:
    raise WorkflowError(str(error)) from None


report: "config/report/study.rst"


include: "rules/notebooks.smk"
include: "rules/sections.smk"
include: "rules/outcomes.smk"
include: "rules/leaderboards.smk"
include: "rules/splits.smk"
include: "rules/simulations.smk"
include: "rules/levels.smk"
include: "rules/pairs.smk"


rule all:
    default_target: True
    input:
        [getattr(rules, notebook.name).output for notebook in NOTEBOOKS],
