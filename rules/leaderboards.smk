# From the raw answers of language models, the outputs of translation systems and the paper's own
# parsers to data/outcomes/: one job per benchmark, one per language pair. Part of `snakemake outcomes`.
CODE = "scripts/leaderboards"


# Treebank of 2018 -> its language, and of those of English, which are several, the name, too.
CONLL2018 = {
    treebank: entry.get("language", "English")
    + f" {entry['treebank'][3:].upper()}" * ("domains" in entry)
    for treebank, entry in TREEBANKS.items()
    if entry["edition"] == 2018
}


def code_of(benchmark):
    """Return the modules that make the outcomes of a benchmark."""
    return [f"{CODE}/answers.py", f"{CODE}/{benchmark}.py"]


rule answers_big_bench_hard:
    input:
        raw=listing("big_bench_hard"),
        code=code_of("big_bench_hard"),
    output:
        f"{WORK}/big_bench_hard.parquet",
    log:
        f"{WORK}/logs/big_bench_hard.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("big_bench_hard")),
    shell:
        "{sys.executable:q} scripts/leaderboards/big_bench_hard.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_mmlu_pro:
    input:
        raw=listing("mmlu_pro"),
        code=code_of("mmlu_pro"),
    output:
        compared=f"{WORK}/mmlu_pro.parquet",
        answers=f"{WORK}/mmlu_pro_answers.parquet",
        letters=f"{WORK}/mmlu_pro_letters.parquet",
    log:
        f"{WORK}/logs/mmlu_pro.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        folder=project.common_folder(raw("mmlu_pro")),
    shell:
        "{sys.executable:q} scripts/leaderboards/mmlu_pro.py {params.folder:q}"
        " --output {output.compared:q} 2>&1 | tee {log:q}"


rule answers_function_calling:
    input:
        raw=listing("function_calling"),
        code=code_of("function_calling"),
    output:
        f"{WORK}/function_calling.parquet",
    log:
        f"{WORK}/logs/function_calling.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("function_calling")),
    shell:
        "{sys.executable:q} scripts/leaderboards/function_calling.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_function_calling_fences:
    input:
        raw=listing("function_calling"),
        code=code_of("function_calling") + code_of("function_calling_fences")[1:],
    output:
        f"{WORK}/function_calling_fences.parquet",
    log:
        f"{WORK}/logs/function_calling_fences.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("function_calling")),
    shell:
        "{sys.executable:q} scripts/leaderboards/function_calling_fences.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_swe_bench:
    input:
        raw=listing("swe_bench"),
        code=code_of("swe_bench"),
    output:
        f"{WORK}/swe_bench.parquet",
    log:
        f"{WORK}/logs/swe_bench.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("swe_bench")),
    shell:
        "{sys.executable:q} scripts/leaderboards/swe_bench.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_time_series:
    input:
        raw=listing("time_series"),
        code=code_of("time_series"),
    output:
        f"{WORK}/time_series.parquet",
    log:
        f"{WORK}/logs/time_series.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("time_series")),
    shell:
        "{sys.executable:q} scripts/leaderboards/time_series.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_embeddings:
    input:
        raw=listing("embeddings"),
        code=code_of("embeddings"),
    output:
        f"{WORK}/embeddings.parquet",
    log:
        f"{WORK}/logs/embeddings.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        archive=raw("embeddings"),
    shell:
        "{sys.executable:q} scripts/leaderboards/embeddings.py {params.archive:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule answers_conll2018:
    input:
        scores=[f"{WORK}/treebanks/{treebank}.parquet" for treebank in CONLL2018],
        code=f"{CODE}/conll2018.py",
    output:
        f"{WORK}/conll2018.parquet",
    log:
        f"{WORK}/logs/conll2018.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        parts=[
            f"{name}={WORK}/treebanks/{treebank}.parquet" for treebank, name in CONLL2018.items()
        ],
    shell:
        "{sys.executable:q} scripts/leaderboards/conll2018.py {params.parts:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule dependable:
    input:
        raw=listing("dependable"),
        code=code_of("dependable"),
    output:
        f"{WORK}/dependable.parquet",
    log:
        f"{WORK}/logs/dependable.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("dependable")),
    shell:
        "{sys.executable:q} scripts/leaderboards/dependable.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


TRANSLATION = {entry["pair"]: entry for entry in CHOICES["translation"]}
LEVELS = ("segments", "documents", "corpora")


rule score_translations:
    input:
        raw=listing("wmt24"),
        code=[*code_of("translation"), "replicability/stats/metrics/translation.py"],
    output:
        **{level: f"{WORK}/translation/{{pair}}_{level}.parquet" for level in LEVELS},
    log:
        f"{WORK}/logs/translation_{{pair}}.log",
    wildcard_constraints:
        pair="[a-z]+-[a-z]+",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        folder=project.common_folder(raw("wmt24", ".txt")),
        tokenize=lambda w: (
            f"--tokenize {TRANSLATION[w.pair]['tokenize']}"
            if "tokenize" in TRANSLATION[w.pair]
            else ""
        ),
    shell:
        "{sys.executable:q} scripts/leaderboards/translation.py {params.folder:q}"
        " --pair {wildcards.pair:q} {params.tokenize} --segments {output.segments:q}"
        " --documents {output.documents:q} --corpora {output.corpora:q} 2>&1 | tee {log:q}"


rule gather_translations:
    input:
        parts=expand(f"{WORK}/translation/{{pair}}_{{{{level}}}}.parquet", pair=TRANSLATION),
        code="scripts/gather.py",
    output:
        f"{WORK}/translation_{{level}}.parquet",
    log:
        f"{WORK}/logs/gather_translation_{{level}}.log",
    wildcard_constraints:
        level="|".join(LEVELS),
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        parts=lambda w: [
            f"{entry['dataset']}={WORK}/translation/{pair}_{w.level}.parquet"
            for pair, entry in TRANSLATION.items()
        ],
    shell:
        "{sys.executable:q} scripts/gather.py --output {output:q} {params.parts:q} 2>&1 | tee {log:q}"


# The scores of WMT25 carry no licence: they stay in results/, and what the study finds is kept.
rule scores_wmt25:
    input:
        raw=listing("wmt25"),
        code=code_of("wmt25"),
    output:
        f"{WORK}/wmt25.parquet",
    log:
        f"{WORK}/logs/wmt25.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        folder=project.common_folder(raw("wmt25")),
    shell:
        "{sys.executable:q} scripts/leaderboards/wmt25.py {params.folder:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule grids_wmt25:
    input:
        scores=f"{WORK}/wmt25.parquet",
        study="config/outcomes/wmt25.yaml",
        code=[
            f"{CODE}/wmt25_grids.py",
            "replicability/core/grid.py",
            "replicability/stats/grids.py",
            "replicability/stats/flips.py",
        ],
    output:
        f"{WORK}/wmt25.json",
    log:
        f"{WORK}/logs/wmt25_grids.log",
    resources:
        mem_mb=4000,
        runtime=30,
    shell:
        "{sys.executable:q} scripts/leaderboards/wmt25_grids.py {input.study:q}"
        " --scores {input.scores:q} --output {output:q} 2>&1 | tee {log:q}"
