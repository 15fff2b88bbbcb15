# Random splits after Gorman and Bedrick (2019): every tagger of a file of settings is trained and
# tested on a standard split and on random splits of every corpus. One job per corpus, split and
# tagger; a run that was stopped goes on where it was.
#
#     snakemake random_splits                                   config/splits.yaml
#     snakemake random_splits --config splits=config/mine.yaml  into results/splits/mine
#     snakemake random_splits --workflow-profile profiles/slurm
#     snakemake random_splits --keep-going                      a tagger that fails leaves the others
import shlex
from pathlib import Path

SPLITS_FILE = str(config.get("splits", "config/splits.yaml"))
try:
    SPLITTING = project.split_choices(SPLITS_FILE)
except checks.InputError as error:
    raise WorkflowError(str(error)) from None
SPLITS = f"results/splits/{Path(SPLITS_FILE).stem}"
SPLITS_MADE = ["splits.parquet", "splits_sizes.csv", "splits_tags.parquet"]
CORPORA = {corpus["name"]: corpus for corpus in SPLITTING["corpora"]}
TAGGERS_CODE = sorted(map(str, Path("scripts/taggers").glob("*.py")))
SYSTEMS = {tagger["name"]: tagger["command"] for tagger in SPLITTING["taggers"]}


wildcard_constraints:
    corpus="[A-Za-z][A-Za-z0-9_-]*",
    split="[0-9]+",
    system="[A-Za-z][A-Za-z0-9_-]*",


def corpus_files(wildcards):
    """Return the files of a corpus; train, dev and test where the standard split is given."""
    corpus = CORPORA[wildcards.corpus]
    if "nltk" in corpus:
        return [f"{SPLITS}/{wildcards.corpus}/corpus.conll"]
    return corpus.get("files") or [corpus["standard"][part] for part in ("train", "dev", "test")]


def split_options(wildcards):
    """Return how a corpus is split: the seed, or that the split is the standard one."""
    shares = "--shares {train} {dev} {test}".format(**SPLITTING["shares"])
    if int(wildcards.split):
        return f"{shares} --seed {SPLITTING['seeds'][int(wildcards.split)]}"
    return f"{shares} --standard{' --given' * ('standard' in CORPORA[wildcards.corpus])}"


def command(wildcards, input, output):
    """Return the command line of a tagger with its placeholders filled in."""
    files = {name: shlex.quote(str(input[name])) for name in ("train", "dev", "test")}
    return SYSTEMS[wildcards.system].format(
        python=shlex.quote(sys.executable),
        seed=SPLITTING["seeds"][int(wildcards.split)],
        output=shlex.quote(output[0]),
        **files,
    )


def failed(wildcards, input, output):
    """Return what is said of a tagger that fails, a format of `printf` with a status in it."""
    line = command(wildcards, input, output).replace("\\", r"\\").replace("%", "%%")
    return (
        f"{wildcards.corpus}, split {wildcards.split}: the tagger {wildcards.system} failed with "
        f"exit status %d; its command is {line}\n"
    )


def tagged_files(wildcards):
    """Return NAME=FILE for every tagger on a split."""
    folder = f"{SPLITS}/{wildcards.corpus}/{wildcards.split}"
    return [f"{system}={folder}/{system}.tagged" for system in SYSTEMS]


rule nltk_corpus:
    input:
        raw=listing("nltk"),
        code="scripts/nltk_corpora.py",
    output:
        f"{SPLITS}/{{corpus}}/corpus.conll",
    log:
        f"{SPLITS}/logs/{{corpus}}.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        archive=lambda w: raw("nltk", CORPORA[w.corpus]["nltk"]),
    shell:
        "{sys.executable:q} scripts/nltk_corpora.py {params.archive:q} --output {output:q}"
        " 2>&1 | tee {log:q}"


rule split_corpus:
    input:
        files=corpus_files,
        code=["scripts/split_corpus.py", "scripts/conll.py"],
    output:
        [
            f"{SPLITS}/{{corpus}}/{{split}}/{name}"
            for name in ("train.conll", "dev.conll", "test.conll", "gold.conll", "sizes.csv")
        ],
    log:
        f"{SPLITS}/logs/{{corpus}}_{{split}}.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        options=split_options,
        folder=f"{SPLITS}/{{corpus}}/{{split}}",
    shell:
        "{sys.executable:q} scripts/split_corpus.py {input.files:q} {params.options}"
        " --into {params.folder:q} 2>&1 | tee {log:q}"


# The command stands in parentheses: it may be a pipe, and all it says goes to the log.
rule tag_split:
    input:
        train=f"{SPLITS}/{{corpus}}/{{split}}/train.conll",
        dev=f"{SPLITS}/{{corpus}}/{{split}}/dev.conll",
        test=f"{SPLITS}/{{corpus}}/{{split}}/test.conll",
        gold=f"{SPLITS}/{{corpus}}/{{split}}/gold.conll",
        code=lambda w: [*TAGGERS_CODE, "scripts/conll.py", "scripts/compare_tags.py"]
        + [word for word in shlex.split(SYSTEMS[w.system]) if Path(word).is_file()],
    output:
        f"{SPLITS}/{{corpus}}/{{split}}/{{system}}.tagged",
    log:
        f"{SPLITS}/logs/{{corpus}}_{{split}}_{{system}}.log",
    threads: 1
    resources:
        mem_mb=2000,
        runtime=120,
    params:
        command=command,
        failed=failed,
    shell:
        "(({params.command}) && {sys.executable:q} scripts/compare_tags.py --gold {input.gold:q}"
        " {wildcards.system:q}={output:q}) 2>&1 | tee {log:q}"
        " || {{ status=$?; printf {params.failed:q} $status | tee -a {log:q}; exit $status; }}"


rule compare_split:
    input:
        train=f"{SPLITS}/{{corpus}}/{{split}}/train.conll",
        gold=f"{SPLITS}/{{corpus}}/{{split}}/gold.conll",
        tagged=[f"{SPLITS}/{{corpus}}/{{split}}/{system}.tagged" for system in SYSTEMS],
        code=["scripts/compare_tags.py", "scripts/conll.py"],
    output:
        f"{SPLITS}/{{corpus}}/{{split}}/outcomes.parquet",
    log:
        f"{SPLITS}/logs/{{corpus}}_{{split}}_outcomes.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        tagged=tagged_files,
    shell:
        "{sys.executable:q} scripts/compare_tags.py {params.tagged:q} --gold {input.gold:q}"
        " --train {input.train:q} --outcomes {output:q} 2>&1 | tee {log:q}"


rule differing_tags:
    input:
        gold=f"{SPLITS}/{{corpus}}/{{split}}/gold.conll",
        tagged=[f"{SPLITS}/{{corpus}}/{{split}}/{system}.tagged" for system in SYSTEMS],
        code=["scripts/compare_tags.py", "scripts/conll.py"],
    output:
        f"{SPLITS}/{{corpus}}/{{split}}/tags.parquet",
    log:
        f"{SPLITS}/logs/{{corpus}}_{{split}}_tags.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        tagged=tagged_files,
        words=lambda w: "--words" if CORPORA[w.corpus].get("words") else "",
        finite=lambda w: (
            shlex.join(["--finite", *found]) if (found := CORPORA[w.corpus].get("finite")) else ""
        ),
    shell:
        "{sys.executable:q} scripts/compare_tags.py {params.tagged:q} --gold {input.gold:q}"
        " {params.words} {params.finite} --tags {output:q} 2>&1 | tee {log:q}"


rule random_splits:
    input:
        parts=[
            f"{SPLITS}/{corpus}/{split}/{name}"
            for corpus in CORPORA
            for split in range(SPLITTING["splits"] + 1)
            for name in ("outcomes.parquet", "sizes.csv")
        ],
        tags=[f"{SPLITS}/{corpus}/0/tags.parquet" for corpus in CORPORA],
        choices=SPLITS_FILE,
        code="scripts/gather_splits.py",
    output:
        [f"{SPLITS}/{name}" for name in SPLITS_MADE],
    log:
        f"{SPLITS}/logs/random_splits.log",
    resources:
        mem_mb=2000,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/gather_splits.py {input.choices:q} {SPLITS:q} {SPLITS:q}"
        " 2>&1 | tee {log:q}"
