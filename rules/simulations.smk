# The simulations of Section 5 at scale: one job per shard of an example, then integer sums.
#
#     snakemake simulations                                 what config/simulations.yaml asks for
#     snakemake simulations --config simulations=FILE       a copy of it, edited
#     snakemake simulations --workflow-profile profiles/slurm
#     snakemake dependence                                  level and power where datasets share
#                                                           units, config/dependence.yaml
#     snakemake margins                                     size and power of tests with a margin
#     snakemake releases                                    false blocks and misses of release rules
#     snakemake grids                                       false statements about datasets by metrics
#     snakemake families                                    false statements about all pairs
#     snakemake repeats                                     size and power of tests of splits and runs
#     snakemake crossed                                     size and power for new items and runs
#     snakemake judged                                      size and power of a corrected judge
#     snakemake welch                                       exact size of Welch's test
from analysis.methods import grids, shards

SIMULATIONS_FILE = str(config.get("simulations", "config/simulations.yaml"))
try:
    SIMULATIONS = shards.read_settings(SIMULATIONS_FILE)
    GRID_FILE = "config/dependence.yaml"
    GRID = grids.read_grid(GRID_FILE)
except checks.InputError as error:
    raise WorkflowError(str(error)) from None

SIMULATED = f"results/simulations/{SIMULATIONS.name}"
EXAMPLES = list(SIMULATIONS.examples)
SHARDS = [f"{shard}_of_{SIMULATIONS.n_shards}" for shard in range(SIMULATIONS.n_shards)]


wildcard_constraints:
    example="[a-z][a-z0-9_]*",
    shard="[0-9]+",
    cell="n[0-9]+_r[0-9.]+_k[0-9]+",


def asked(example):
    """Return what the families of an example follow from, for Snakemake to compare."""
    s = SIMULATIONS
    return repr((s.n_families, s.seed, s.alpha, s.estimators, s.examples[example]))


rule simulation_shard:
    input:
        code=[
            "scripts/simulations.py",
            "analysis/methods/shards.py",
            "analysis/methods/simulation.py",
            "replicability/stats/partial_conjunction.py",
        ],
    output:
        f"{SIMULATED}/shards/{{example}}/{{shard}}_of_{SIMULATIONS.n_shards}.csv",
    log:
        f"{SIMULATED}/logs/{{example}}_{{shard}}_of_{SIMULATIONS.n_shards}.log",
    benchmark:
        f"{SIMULATED}/logs/{{example}}_{{shard}}_of_{SIMULATIONS.n_shards}.tsv"
    threads: 1
    resources:
        mem_mb=500,
        # a minute per million families, of 100 datasets a good ten times what they take
        runtime=10 + SIMULATIONS.n_families // SIMULATIONS.n_shards // 1_000_000,
    params:
        asked=lambda w: asked(w.example),
    shell:
        "{sys.executable:q} scripts/simulations.py shard {SIMULATIONS_FILE:q} {wildcards.example:q}"
        " {wildcards.shard:q} --output {output:q} 2>&1 | tee {log:q}"


rule simulation:
    input:
        shards=expand(f"{SIMULATED}/shards/{{{{example}}}}/{{shard}}.csv", shard=SHARDS),
    output:
        f"{SIMULATED}/{{example}}.csv",
    log:
        f"{SIMULATED}/logs/{{example}}.log",
    resources:
        mem_mb=500,
        runtime=10,
    params:
        asked=lambda w: asked(w.example),
    shell:
        "{sys.executable:q} scripts/simulations.py merge {SIMULATIONS_FILE:q} {wildcards.example:q}"
        " {input.shards:q} --output {output:q} 2>&1 | tee {log:q}"


rule simulations:
    input:
        expand(f"{SIMULATED}/{{example}}.csv", example=EXAMPLES),
    output:
        f"{SIMULATED}/tables/overestimation.csv",
    log:
        f"{SIMULATED}/logs/overestimation.log",
    resources:
        mem_mb=500,
        runtime=10,
    params:
        pooled=[f"{example}={SIMULATED}/{example}.csv" for example in EXAMPLES],
    shell:
        "{sys.executable:q} scripts/simulations.py table {SIMULATIONS_FILE:q} {params.pooled:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


CELLS = f"results/simulations/{GRID.name}"


rule dependence_cell:
    input:
        code=[
            "scripts/simulations.py",
            "analysis/methods/grids.py",
            "analysis/tallies.py",
            "analysis/methods/shared_units.py",
            "replicability/stats/joint.py",
            "replicability/stats/branch_and_bound.py",
            "replicability/stats/closed_testing.py",
            *sorted(map(str, Path("replicability/stats/local_tests").glob("*.py"))),
            "replicability/stats/step_down.py",
            "replicability/stats/sums.py",
            "replicability/stats/critical_values.py",
            "replicability/stats/partial_conjunction.py",
        ],
    output:
        f"{CELLS}/cells/{{cell}}.csv",
    log:
        f"{CELLS}/logs/{{cell}}.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        asked=lambda w: repr(
            (GRID.repetitions[w.cell], GRID.seed, GRID.alpha, GRID.n_flips, GRID.cells[w.cell])
        ),
    shell:
        "{sys.executable:q} scripts/simulations.py cell {GRID_FILE:q} {wildcards.cell:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule dependence_grid:
    input:
        expand(f"{CELLS}/cells/{{cell}}.csv", cell=GRID.cells),
    output:
        f"{CELLS}/dependence.csv",
    log:
        f"{CELLS}/logs/dependence_grid.log",
    resources:
        mem_mb=500,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/simulations.py grid {GRID_FILE:q} {input:q} --output {output:q}"
        " 2>&1 | tee {log:q}"


# The committed copy is no output of a rule, so that the notebook does not ask for the simulations.
rule dependence:
    input:
        made=f"{CELLS}/dependence.csv",
        code="scripts/publish_outcomes.py",
    log:
        f"{CELLS}/logs/dependence.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"


rule margin_sizes:
    input:
        code=[
            "scripts/error_rates.py",
            "analysis/methods/margin_sizes.py",
            "replicability/stats/margins.py",
        ],
    output:
        "results/simulations/margins.csv",
    log:
        "results/simulations/logs/margins.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    shell:
        "{sys.executable:q} scripts/error_rates.py margins --output {output:q} 2>&1 | tee {log:q}"


# As for `dependence`, the committed copy is no output of a rule.
rule margins:
    input:
        made="results/simulations/margins.csv",
        code="scripts/publish_outcomes.py",
    log:
        "results/simulations/logs/publish_margins.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"


rule release_rules:
    input:
        code=[
            "scripts/error_rates.py",
            "analysis/methods/release_rules.py",
        ],
        sizes="data/suite_sizes.csv",
    output:
        "results/simulations/releases.csv",
    log:
        "results/simulations/logs/releases.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/error_rates.py releases --output {output:q} 2>&1 | tee {log:q}"


# As for `dependence`, the committed copy is no output of a rule.
rule releases:
    input:
        made="results/simulations/releases.csv",
        code="scripts/publish_outcomes.py",
    log:
        "results/simulations/logs/publish_releases.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"


rule grid_levels:
    input:
        code=[
            "scripts/error_rates.py",
            "analysis/methods/grid_levels.py",
            "analysis/methods/family_levels.py",
            "replicability/stats/grids.py",
            "replicability/stats/flips.py",
        ],
    output:
        "results/simulations/grids.csv",
    log:
        "results/simulations/logs/grids.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/error_rates.py grids --output {output:q} 2>&1 | tee {log:q}"


# As for `dependence`, the committed copy is no output of a rule.
rule grids:
    input:
        made="results/simulations/grids.csv",
        code="scripts/publish_outcomes.py",
    log:
        "results/simulations/logs/publish_grids.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"


rule family_levels:
    input:
        code=[
            "scripts/error_rates.py",
            "analysis/methods/family_levels.py",
            "replicability/core/all_pairs.py",
            "replicability/core/gatekeeping.py",
            "replicability/stats/joint_pairs.py",
            "replicability/stats/joint.py",
            "replicability/stats/flips.py",
        ],
    output:
        "results/simulations/families.csv",
    log:
        "results/simulations/logs/families.log",
    threads: 1
    resources:
        mem_mb=500,
        runtime=30,
    shell:
        "{sys.executable:q} scripts/error_rates.py families --output {output:q}"
        " 2>&1 | tee {log:q}"


# As for `dependence`, the committed copy is no output of a rule.
rule families:
    input:
        made="results/simulations/families.csv",
        code="scripts/publish_outcomes.py",
    log:
        "results/simulations/logs/publish_families.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
        " 2>&1 | tee {log:q}"


OF_REPEATS = {
    "repeats": ["analysis/methods/repeats.py", "replicability/stats/paired/splits.py"],
    "crossed": ["analysis/methods/crossed.py", "replicability/stats/paired/crossed.py"],
    "judged": ["analysis/methods/judged.py", "replicability/stats/paired/judged.py"],
    "welch": ["analysis/methods/repeats.py", "replicability/stats/two_samples.py"],
}


rule sizes_of_repeats:
    input:
        "scripts/error_rates.py",
        "replicability/stats/two_samples.py",
        lambda wildcards: OF_REPEATS[wildcards.of],
    output:
        "results/simulations/{of}.csv",
    log:
        "results/simulations/logs/{of}.log",
    wildcard_constraints:
        of="|".join(OF_REPEATS),
    threads: 1
    resources:
        mem_mb=500,
        runtime=60,
    shell:
        "{sys.executable:q} scripts/error_rates.py {wildcards.of:q} --output {output:q}"
        " 2>&1 | tee {log:q}"


# As for `dependence`, the committed copies are no output of a rule.
for of in OF_REPEATS:

    rule:
        name:
            of
        input:
            made=f"results/simulations/{of}.csv",
            code="scripts/publish_outcomes.py",
        log:
            f"results/simulations/logs/publish_{of}.log",
        shell:
            "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/simulations"
            " 2>&1 | tee {log:q}"
