# How often the default call says something false, where the truth is known: one job per block, the
# cells of one population and number of items.
#
#     snakemake levels      what config/levels.yaml asks for, and what of it is not there yet
from pathlib import Path

from analysis.levels import cells as level_cells

LEVELS_FILE = "config/levels.yaml"
try:
    LEVELS = level_cells.read_grid(LEVELS_FILE)
except checks.InputError as error:
    raise WorkflowError(str(error)) from None

MEASURED = f"results/simulations/{LEVELS.name}"


wildcard_constraints:
    block="[a-z_]+_[0-9]+",


rule level_block:
    input:
        code=[
            "scripts/levels.py",
            *sorted(map(str, Path("analysis/levels").glob("*.py"))),
            *sorted(map(str, Path("replicability/api").glob("*.py"))),
            *sorted(map(str, Path("replicability/core").rglob("*.py"))),
            *sorted(map(str, Path("replicability/stats").rglob("*.py"))),
        ],
    output:
        f"{MEASURED}/blocks/{{block}}.csv",
    log:
        f"{MEASURED}/logs/{{block}}.log",
    threads: 1
    resources:
        mem_mb=1000,
        runtime=240,
    params:
        asked=lambda w: LEVELS.asked(w.block),
    shell:
        "{sys.executable:q} scripts/levels.py block {LEVELS_FILE:q} {wildcards.block:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule level_grid:
    input:
        expand(f"{MEASURED}/blocks/{{block}}.csv", block=LEVELS.blocks),
    output:
        f"{MEASURED}/levels.csv",
    log:
        f"{MEASURED}/logs/level_grid.log",
    resources:
        mem_mb=500,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/levels.py gather {LEVELS_FILE:q} {input:q} --output {output:q}"
        " 2>&1 | tee {log:q}"


# As for `dependence`, the committed copy is no output of a rule.
rule levels:
    input:
        made=f"{MEASURED}/levels.csv",
        code="scripts/publish_outcomes.py",
    log:
        f"{MEASURED}/logs/levels.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"
