# All pairs of many systems: one job per block of pairs, then one answer from all blocks, with the
# bytes of one machine.
#
#     snakemake pairs                           what config/pairs.yaml asks for
#     snakemake pairs --config pairs=FILE       a copy of it, edited
#     snakemake pairs --workflow-profile profiles/slurm
from analysis import schemas

try:
    PAIRS = schemas.load_checked(
        str(config.get("pairs", "config/pairs.yaml")), "config/pairs_schema.yaml"
    )
except checks.InputError as error:
    raise WorkflowError(str(error)) from None

PAIRED = f"results/pairs/{PAIRS['name']}"
LIBRARY = [
    *sorted(map(str, Path("replicability/api").glob("*.py"))),
    *sorted(map(str, Path("replicability/core").rglob("*.py"))),
    *sorted(map(str, Path("replicability/io").rglob("*.py"))),
    *sorted(map(str, Path("replicability/stats").rglob("*.py"))),
]


rule pairs_block:
    input:
        scores=PAIRS["scores"],
        code=LIBRARY,
    output:
        f"{PAIRED}/blocks/{{k}}_of_{PAIRS['n_blocks']}.parquet",
    log:
        f"{PAIRED}/logs/{{k}}_of_{PAIRS['n_blocks']}.log",
    wildcard_constraints:
        k="[0-9]+",
    threads: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        arguments=PAIRS["arguments"],
        block=lambda w: f"{w.k}/{PAIRS['n_blocks']}",
    shell:
        "{sys.executable:q} -m replicability family {input.scores:q} {params.arguments:q}"
        " --block {params.block:q} --into {output:q} 2>&1 | tee {log:q}"


rule pairs:
    input:
        scores=PAIRS["scores"],
        blocks=[
            f"{PAIRED}/blocks/{k}_of_{PAIRS['n_blocks']}.parquet"
            for k in range(1, PAIRS["n_blocks"] + 1)
        ],
    output:
        f"{PAIRED}/family.json",
    log:
        f"{PAIRED}/logs/pairs.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        arguments=PAIRS["arguments"],
    shell:
        "{sys.executable:q} -m replicability family {input.scores:q} {params.arguments:q}"
        " --blocks {input.blocks:q} --json 2> {log:q} > {output:q}"
