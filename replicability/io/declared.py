"""What is declared: a source of scores, a question about them, and the blocks of a study.

Every field stands here once, with its type, the rule that messages quote, what it means and what
holds if it is left out. The keywords of Python, the options of the command line, the keys of a
study, their checks, help texts and docs are made from these (`io.keys`).
"""

import re
import textwrap
from dataclasses import dataclass, field
from typing import Annotated, Any, Literal

from replicability.io import formats
from replicability.io.rules import Block, Rule, hints
from replicability.stats import local_tests

SECTION = "your_comparison"
"""Default notebook that shows a comparison."""

OF_SPLITS = "resampled_t"
"""Test for scores on splits of the same data."""

OF_FOLDS = ("repeated_k_fold", "cv_5x2_f")
"""Tests for the folds of repeated cross-validations, the default first."""

OF_BOTH = ("crossed_t", "hierarchical_flip", "two_way_bootstrap")
"""Tests of a claim about new items and new runs, the default first."""

OF_JUDGED = "prediction_powered"
"""Test that corrects a judge's scores by human scores of some items."""

INSTANCE = "instance"
"""Default unit of analysis."""


@dataclass(frozen=True, kw_only=True)
class Key:
    """What is said of a field to those who set it.

    Attributes
    ----------
    help : str
        What it says.
    left_out : str
        What holds if it is left out.
    values : dict of str to str
        The values of a choice, and what each means.
    flag : str
        Its option, where that is called otherwise.
    written : str
        Its value as usage lines show it; "" for an option without a value.
    again : bool
        Whether the option may be given again.
    nargs : str
        How many values stand behind it, if it is not one, in argparse's words.
    idle : str
        What it does, if it has a meaning in some formats only.
    """

    help: str
    left_out: str = ""
    values: dict = field(default_factory=dict)
    flag: str = ""
    written: str = ""
    again: bool = False
    nargs: str | None = None
    idle: str = ""

    @property
    def meaning(self):
        """What it says, with its values."""
        values = "; ".join(f"`{value}`: {meaning}" for value, meaning in self.values.items())
        return f"{self.help} {values}." if values else self.help


def key(default: Any, help: str, **said: Any) -> Any:
    """Declare a field that users set: its default, and the fields of its `Key`."""
    made = {"default_factory": dict} if default == {} else {"default": default}
    return field(**made, metadata={"key": Key(help=help, **said)})


# --- types of several fields ---------------------------------------------------------------------


def _stem(what):
    return Rule(
        f"the name of {what} must start with a letter and have at most 100 lower-case letters, "
        "digits and underscores",
        pattern="^[a-z][a-z0-9_]*$",
        max_length=100,
    )


def _one_of(names):
    return f"{', '.join(names[:-1])} or {names[-1]}"


def _tests():
    from replicability.stats import paired  # which only a question that names a test needs

    return paired.TESTS


Text = Annotated[str, Rule("a name must be text", pattern=r"\S")]
Name = Annotated[str, _stem("a comparison")]
System = Annotated[
    str,
    Rule(
        "the name of a system must be text (put numbers and words such as no in quotes)",
        pattern=r"\S",
    ),
]
Dataset = Annotated[
    str,
    Rule(
        "the name of a dataset must be text (put numbers and words such as no in quotes)",
        pattern=r"\S",
    ),
]
Column = Annotated[str, Rule("a column must be named by its header in the file", pattern=r"\S")]
OneOrSeveral = Annotated[
    Column | Annotated[list[Column], Rule("", unique=True, min_length=1)],
    Rule("columns must be named by a header or a list of headers"),
]
OneDataset = Annotated[
    bool, Rule("one_dataset must be true or false (whether each table is one dataset)")
]
File = Annotated[
    str, Rule("a file must be a path, absolute or relative to the current folder", pattern=r"\S")
]
Level = Annotated[
    float,
    Rule(
        "a level of significance must be above 0 and at most 0.5, such as 0.05 for 95% confidence",
        gt=0,
        le=0.5,
    ),
]
Seed = Annotated[int, Rule("a seed must be a whole number of at least 0", ge=0)]
Resamples = Annotated[
    int,
    Rule(
        "the number of resamples must be a whole number from 1 to 100 million",
        ge=1,
        le=10**8,
    ),
]
Groups = Annotated[
    dict[
        Annotated[str, Rule("a group must have a name", pattern=r"\S")],
        Annotated[
            list[Dataset],
            Rule(
                "a group must be a list of one or more different datasets",
                unique=True,
                min_length=1,
            ),
        ],
    ],
    Rule("groups must map at least one name to a list of datasets", min_length=1),
]
Labels = Annotated[
    dict[Text, Text],
    Rule(
        "labels must map the name of at least one system, dataset or group to its label",
        min_length=1,
    ),
]
NameOrNames = (
    Annotated[str, Rule("", min_length=1)] | Annotated[dict[Dataset, Text], Rule("", min_length=1)]
)
Metrics = Annotated[
    Annotated[list[Text], Rule("", unique=True, min_length=2)]
    | Annotated[dict[Text, Literal["higher", "lower"]], Rule("", min_length=2)],
    Rule(
        "metrics must be a list of two or more different names, or a mapping from each name to "
        "its better direction (higher or lower)"
    ),
]
Procedure = Annotated[
    Literal["closed", "paper"],
    Rule(
        "a procedure must be closed (one simultaneous guarantee for all claims) or paper (k-hat "
        "by partial conjunction, named datasets by Holm's procedure)"
    ),
]
Alternative = Annotated[
    Literal["two-sided", "greater"],
    Rule(
        "an alternative must be two-sided (both directions are tested) or greater (you claimed in "
        "advance that A is better)"
    ),
]
OneMargin = Annotated[float, Rule("a margin must be a number above 0 in the unit of the score")]
ScoreKind = Literal["binary", "counts", "real", "ratings"]
ScoreMetric = Literal[
    "accuracy", "oov_accuracy", "exact_match", "mean", "uas", "las", "recall", "precision", "f1",
    "bleu", "spearman", "pearson",
]  # fmt: skip
_ITEMS = Rule(
    "items must be the total number of items, a number for each dataset, or a file with the "
    "identifiers of all items"
)
_Number = Annotated[int, Rule(_ITEMS.text, ge=1)]


TestShare = Annotated[
    float,
    Rule(
        "a test_share must lie strictly between 0 and 1, such as 0.1 in ten-fold cross-validation",
        gt=0,
        lt=1,
    ),
]


class Repeats(Block):
    """repeats must be a mapping with the keys column, kind and, for splits, test_share"""

    needed = ("column", "kind")
    column: Column
    kind: Annotated[
        Literal["runs", "splits", "raters"],
        Rule(
            "a kind must be runs (such as training seeds), splits (such as cross-validation folds) "
            "or raters (such as annotators or judges)"
        ),
    ]
    nested: Annotated[
        bool,
        Rule(
            "nested must be true or false (whether each item has runs of its own, such as "
            "sampled answers)"
        ),
    ]
    within: Annotated[
        Column,
        Rule(
            "within must be the header of the column that identifies the repeats of a "
            "cross-validation"
        ),
    ]
    test_share: Annotated[
        TestShare | Annotated[dict[Dataset, TestShare], Rule("", min_length=1)],
        Rule(
            "a test_share must be a number strictly between 0 and 1, such as 0.1 in ten-fold "
            "cross-validation, or one for each dataset"
        ),
    ]


_Systems = Annotated[list[System], Rule("", unique=True, min_length=2)]


class AskFirst(Block):
    """ask_first must map leader, neighbours or both to systems, each named once"""

    leader: Annotated[
        System | _Systems,
        Rule(
            "a leader must be a system, or a list that starts with it and then names the "
            "systems that it is compared with"
        ),
    ]
    neighbours: Annotated[
        _Systems,
        Rule("neighbours must be a list of two or more different systems, the best first"),
    ]


class Options(Block):
    """options must map the options of the test to their values"""

    others = True
    n_resamples: Resamples


class Columns(Block):
    """columns must map roles, such as dataset or score, to headers of the file"""

    dataset: OneOrSeveral
    p_value: Column
    instance: Column
    system: Column
    score: Column
    size: Column
    run: Column
    gold: Column
    human: Column
    successes: OneOrSeveral
    trials: OneOrSeveral
    scores: Annotated[
        tuple[Column, ...],
        Rule(
            "scores must be a list of two different columns, in the order of the systems",
            unique=True,
            min_length=2,
            max_length=2,
        ),
    ]


class FamilyColumns(Block):
    """columns must map roles, such as dataset or score, to headers of the file"""

    dataset: OneOrSeveral
    instance: Column
    system: Column
    score: Column
    size: Column
    run: Column
    gold: Column
    successes: OneOrSeveral
    trials: OneOrSeveral
    scores: Annotated[
        tuple[Column, ...],
        Rule(
            "the scores of a family must be a list of three or more different columns",
            unique=True,
            min_length=3,
        ),
    ]


class Files(Block):
    """files must map a, b and, if the format needs them, gold and documents to files or folders"""

    needed = ("a", "b")
    a: File
    b: File
    gold: File
    documents: File


# --- where scores come from ----------------------------------------------------------------------


@dataclass(frozen=True, kw_only=True)
class Layout:
    """How a table is read: what its columns hold. A study says it in `columns` and `files`."""

    a: System = key(
        "",
        "The system claimed to be better: a value in the column of systems, or the header of its "
        "column of scores. In other formats, you can choose any name for it.",
        flag="systems",
        left_out="the first of the two",
    )
    b: System = key("", "The other system.", flag="systems", left_out="the second of the two")
    dataset: OneOrSeveral = key(
        "",
        "Column with the dataset of each row. If you specify several columns, their values are "
        "joined.",
        written="COLUMN",
        again=True,
        left_out="`dataset`, if it exists",
        idle="names the column of datasets",
    )
    instance: Column = key(
        "",
        "Column with the identifiers of the items.",
        written="COLUMN",
        left_out="`instance`, if it exists",
    )
    system: Column = key(
        "",
        "Column with the system of each row.",
        written="COLUMN",
        left_out="`system`, `model` or `method`, if one exists",
    )
    score: Column = key(
        "", "Column with the scores.", written="COLUMN", left_out="`score`, if it exists"
    )
    size: Column = key(
        "",
        "Column with the denominator of each score, such as the number of words in a sentence.",
        written="COLUMN",
        left_out="all items have equal weight",
        idle="names the column of denominators",
    )
    successes: OneOrSeveral = key(
        "",
        "Column with the number of successes, in a table with a row for each task and system. If "
        "the table has one row for each task, give two columns in the order of the systems. "
        "Trials are not paired.",
        written="COLUMN",
        again=True,
        left_out="the items' scores are compared",
        idle="counts successes in trials",
    )
    trials: OneOrSeveral = key(
        "",
        "Column with the number of trials, or one such column for each system.",
        written="COLUMN",
        again=True,
        left_out="the items' scores are compared",
        idle="counts successes in trials",
    )
    gold: File = key(
        "",
        "Column with gold labels, or with human ratings to correlate the scores with. For other "
        "formats, the file or folder with gold outputs or ratings.",
        written="GOLD",
        left_out="none",
    )
    human: Column = key(
        "",
        "Column with human scores, if the other scores come from a model judge. Leave the cell "
        "empty if no person scored the item. People must have scored a random sample of the "
        "items, for both systems. The claim then concerns human judgement.",
        written="COLUMN",
        left_out="the scores are compared without correction",
        idle="corrects the scores of a judge",
    )
    run: Column = key(
        "",
        "Column that identifies the runs of a system, such as seeds. The score of an item is the "
        "mean over its runs. Use `file` if each log is a run.",
        written="COLUMN",
        left_out="one run",
        idle="names the column of runs",
    )
    ignore: OneOrSeveral = key(
        (),
        "Columns to ignore. Use this key if an error says that a column has no role.",
        written="COLUMN",
        again=True,
        left_out="none",
        idle="leaves out columns",
    )
    one_dataset: OneDataset = key(
        False,
        "Read each table as one dataset, whatever its columns.",
        left_out="no",
        idle="reads a table as one dataset",
    )
    documents: File = key(
        "",
        "For `translations`: a file or folder with the document of each line. Each document is "
        "then a unit of analysis.",
        written="FILE",
        left_out="each line is a unit",
        idle="names the document of each segment",
    )


@dataclass(frozen=True, kw_only=True)
class Source:
    """Where scores come from, and how they are read.

    Fields without a key follow from what is read: `rows` is the number of rows of a table in
    memory, whose `file` is the table while it is read and then its name; `named` has the headers of
    roles in what was passed, where `columns` has those of a table that was made of it; `unused`
    those of columns without a role, if somebody has looked; `unit_declared` says whether the unit
    "instance" was declared, else a column of larger units can contradict it.
    """

    name: Name = ""
    systems: Annotated[
        tuple[System, ...],
        Rule(
            "systems must be a list of two different names, the one claimed to be better first",
            unique=True,
            min_length=2,
            max_length=2,
        ),
    ]
    file: File | Any = ""
    rows: int = 0
    columns: Annotated[dict, Columns] = field(default_factory=dict)
    ignore: OneOrSeveral | Any = ()
    one_dataset: OneDataset = False
    repeats: Annotated[dict, Repeats] = key(
        {},
        "What the repeats are: the column that identifies them, and their `kind`. `runs` are "
        "training seeds or trials, which are averaged; with `nested`, each item has its own "
        "trials. `raters` are people or judges who each scored every item. `splits` are "
        "resamples or folds of the same data, with one score each: give `test_share`, the share "
        "of the data in the test part. The corrected resampled t-test then compares the systems. "
        "For repeated cross-validation, `within` is the column that identifies the repeats.",
        written="COLUMN",
        left_out="nothing",
        idle="declares what was repeated",
    )
    named: dict = field(default_factory=dict)
    unused: tuple | None = None
    datasets: Annotated[
        tuple[Dataset, ...],
        Rule(
            "datasets must be a list of different datasets to compare on (leave it out to use all)",
            unique=True,
            min_length=1,
        ),
    ] = key(
        (), "Compare the systems only on these datasets.", written="NAME", nargs="+", left_out="all"
    )
    score: Annotated[
        str, Rule("a score must be the name of what is measured, with its unit", pattern=r"\S")
    ] = "score"
    format: Annotated[
        str, Rule("a format must name what the files hold", choices=lambda: formats.NAMES)
    ] = key(
        "table",
        f"Format of the files: {_one_of(formats.NAMES)}.",
        written="FORMAT",
        left_out="recognised from the files",
    )
    files: Annotated[dict, Files] = field(default_factory=dict)
    metric: Annotated[
        NameOrNames,
        Rule(
            "a metric must be one that the format supports, or, for logs, a metric for each dataset"
        ),
    ] = key(
        "",
        "Metric to compute from outputs or to read from logs. For `conllu`: las, uas or upos. "
        "For `translations`: chrf, chrf++, bleu or neg_ter of the whole corpus, or the mean of "
        "sentence_bleu, sentence_chrf or sentence_chrf++. For `helm`: the name of a statistic. "
        "For `lm_eval`: the name of a metric in the logs. For `inspect_ai`: the name of a "
        "scorer. For logs, you can choose a metric for each dataset.",
        written="NAME|DATASET=NAME,...",
        left_out="the first metric of the format",
        idle="chooses what is computed from outputs",
    )
    filter: Annotated[
        NameOrNames,
        Rule("a filter must be one that the logs have, or one for each dataset"),
    ] = key(
        "",
        "For `lm_eval`: the answer filter, one for all tasks or one for each task. For `helm`: "
        "the split of the data.",
        written="NAME|DATASET=NAME,...",
        left_out="the only filter; for `helm`, the split `test`",
        idle="chooses among the answers in a log",
    )
    tokenize: Annotated[
        NameOrNames,
        Rule("a tokenizer must be one of sacrebleu's, or one for each test set"),
    ] = key(
        "",
        "For `translations`: sacrebleu's tokenizer for BLEU, such as zh; give one for all test "
        "sets or one for each test set.",
        written="NAME|DATASET=NAME,...",
        left_out="13a",
        idle="chooses BLEU's tokenizer",
    )
    by: Annotated[
        str,
        Rule(
            "by must be the column that splits files into datasets, or type for spans",
            pattern=r"\S",
        ),
    ] = key(
        "",
        "Split files into datasets: by this column for `table` and `folders`, or by span type "
        "(`type`) for `spans`.",
        written="COLUMN",
        left_out="files are not split",
        idle="splits files into datasets",
    )
    match: Annotated[
        Literal["identifier", "place"],
        Rule("match must say how the items of the two systems are matched"),
    ] = key(
        "identifier",
        "How the items or words of the two systems are matched.",
        values={
            "identifier": "by their identifiers",
            "place": "by their order in the files, and differences are listed",
        },
        left_out="`identifier`",
        idle="says how items or words are matched",
    )
    items: Annotated[
        _Number | File | Annotated[dict[Dataset, _Number], Rule(_ITEMS.text, min_length=1)], _ITEMS
    ] = key(
        0,
        "For `ids`: the number of items, in total or for each dataset, or a file with the "
        "identifiers of all items.",
        written="N|DATASET=N,...|FILE",
        left_out="the total that the files state",
        idle="says how many items there are",
    )
    lists: Annotated[Literal["right", "wrong"], Rule("lists must say what the files list")] = key(
        "right",
        "For `ids`: which items the files list.",
        values={
            "right": "items that a system solved",
            "wrong": "items that a system did not solve",
        },
        left_out="`right`",
        idle="says what is listed",
    )
    unit: Annotated[
        str,
        Rule(
            "a unit must be instance, or the header of the column with the unit of each item",
            pattern=r"\S",
        ),
    ] = key(
        INSTANCE,
        "Column of the unit of analysis: what was sampled independently, such as a passage with "
        "several questions. Use `instance` if the items themselves were sampled independently.",
        written="COLUMN",
        left_out="each item is a unit",
    )
    higher_is_better: (
        Annotated[
            bool,
            Rule(
                "higher_is_better must be true (a higher score is better) or false (a lower one is)"
            ),
        ]
        | None
    ) = key(
        None,
        "Whether a higher score is better. Required if the metric's name suggests a loss or an "
        "error rate. Positive differences always favour A.",
        left_out="a higher score is better",
    )
    unit_declared: bool = False
    missing: Annotated[
        Literal["refuse", "drop", "wrong"],
        Rule("missing must say what to do with items for which a system has no score"),
    ] = key(
        "refuse",
        "What to do with items for which a system has no score.",
        values={
            "refuse": "nothing is compared",
            "drop": "these items are dropped for all systems",
            "wrong": "these items get the worst score, if all scores are 0 or 1 or have a size",
        },
        left_out="`refuse`",
        idle="says what is done with missing items",
    )
    sided: Annotated[
        Literal["one", "two", "unknown"],
        Rule("sided must say which hypothesis the p-values test"),
    ] = key(
        "",
        "Whether your p-values are one-sided.",
        values={
            "one": "one-sided, with the null hypothesis that A is not better",
            "two": "two-sided, made one-sided by the sign of the score difference",
            "unknown": "used unchanged, but as two-sided if both directions are tested",
        },
        left_out="`one`, if no score contradicts it",
    )
    resolution: (
        Annotated[
            float,
            Rule(
                "a resolution must be the smallest p-value that the test could report, in [0, 1)",
                ge=0,
                lt=1,
            ),
        ]
        | None
    ) = key(
        None,
        "Smallest p-value that the test could report: 1/(B+1) for B resamples. Smaller p-values "
        "are raised to this value. Set it to 0 to accept p-values of 0.",
        written="R",
        left_out="p-values of 0 are refused",
    )

    @property
    def splits(self):
        """Whether each row is a split of the same data."""
        return self.repeats.get("kind") == "splits"

    def test_share_of(self, dataset):
        """Return the share of the test part of a split of a dataset; None without splits."""
        share = self.repeats.get("test_share")
        if isinstance(share, dict):
            from replicability import checks

            share = share[checks.choice("test_share: dataset", dataset, share)]
        return share

    @property
    def within(self):
        """The column of the repeats of a cross-validation; "" without."""
        return self.repeats.get("within", "")

    @property
    def repeated(self):
        """What the repeats are called: "runs" or "raters"."""
        return "raters" if self.repeats.get("kind") == "raters" else "runs"

    @property
    def bare_runs(self):
        """Whether there is one score for each run, and no items."""
        return "run" in self.columns and "instance" not in self.columns and not self.files

    @property
    def paths(self):
        """Every file or folder that is read; none of a table in memory."""
        more = (self.items,) if isinstance(self.items, str) else ()
        places = (*self.files.values(), *more) if self.files else (self.file,)
        return () if self.rows else places

    @property
    def source(self):
        """Where the scores come from, for a message."""
        if self.file:
            return str(self.file)
        return f"{self.files['a']} and {self.files['b']}"

    @property
    def level(self):
        """Where the comparison starts: "p-values", "counts" or "instances"."""
        levels = {"p_value": "p-values", "successes": "counts"}
        return next((levels[key] for key in levels if key in self.columns), "instances")

    @property
    def subtracted(self):
        """The systems in the order in which a difference subtracts their scores."""
        return self.systems[::-1] if self.higher_is_better is False else self.systems

    @property
    def per_cent(self):
        """Whether scores are shares to be shown in per cent."""
        return self.level == "instances" and self.score.endswith("(%)")


@dataclass(frozen=True, kw_only=True)
class Question:
    """Choose what to test, at which level, and how.

    Parameters
    ----------
    {keywords}

    Notes
    -----
    `dependence_declared` says whether somebody declared the dependence, where it is "dependent":
    what is not known is dependent.
    """

    dependence: Annotated[
        Literal["independent", "positive", "dependent"],
        Rule("dependence must say how the datasets depend on each other"),
    ] = key(
        "dependent",
        "How the datasets depend on each other.",
        values={
            "independent": "datasets share no items, and none is derived from another",
            "positive": "they are positively dependent",
            "dependent": "anything else, or unknown",
        },
        left_out="`dependent`",
    )
    dependence_declared: bool = False
    shared: Annotated[
        Literal[True] | Groups,
        Rule(
            "shared must be true, or map what is shared to the datasets that share it (specify "
            "the column of the units with unit)"
        ),
    ] = key(
        {},
        "Whether datasets share units (true if an identifier means the same unit in all "
        "datasets). Otherwise, name what is shared and the datasets that share it. Joint sign "
        "flips then account for the dependence between datasets.",
        written="NAME=a,b",
        nargs="?",
        again=True,
        left_out="nothing is shared",
    )
    groups: Groups = key(
        {},
        "Groups of datasets. Each group gets its own lower bound.",
        flag="group",
        written="NAME=a,b,c",
        again=True,
        left_out="none",
    )
    labels: Labels = key(
        {},
        "Display names of systems, datasets and groups in tables, figures and sentences.",
        flag="label",
        written="NAME=TEXT",
        again=True,
        left_out="their names in the data",
    )
    over_datasets: Annotated[
        bool,
        Rule(
            "over_datasets must be true or false (whether the datasets are independent draws "
            "from a population)"
        ),
    ] = key(
        False,
        "Whether the datasets are independent draws from a population, such as the world's "
        "languages. If so, the difference over the whole population is also tested (Demšar 2006).",
        left_out="not tested",
    )
    claim_covers: Annotated[
        Literal["items", "runs", "both"],
        Rule("claim_covers must be items, runs or both"),
    ] = key(
        "items",
        "What the claim covers if a system was run several times.",
        values={
            "items": "new items, with scores averaged over these runs or raters",
            "runs": "new runs on these items, where runs are unpaired and need no item scores",
            "both": "new items and new runs or raters",
        },
        left_out="`items`",
    )
    claim: Annotated[
        Literal["better", "better_by", "not_worse", "equivalent"],
        Rule(
            "a claim must say what you claim about A and B on a dataset (every claim except "
            "better needs a margin)"
        ),
    ] = key(
        "better",
        "What you claim about A and B on a dataset. Every claim except `better` needs a margin.",
        values={
            "better": "A is better",
            "better_by": "A is better by more than the margin",
            "not_worse": "A is not worse by more than the margin",
            "equivalent": "A and B differ by less than the margin",
        },
        left_out="`better`",
    )
    margin: (
        Annotated[
            OneMargin | Annotated[dict[Dataset, OneMargin], Rule("", min_length=1)],
            Rule(
                "a margin must be a number above 0 in the unit of the score, or one for each "
                "dataset"
            ),
        ]
        | None
    ) = key(
        None,
        "The margin of the claim: a number above 0 in the unit of the score (percentage points "
        "for percentages), or one for each dataset.",
        written="M|DATASET=M",
        again=True,
        left_out="none",
    )
    alternative: Alternative = key(
        "",
        "Which directions to test.",
        values={
            "two-sided": "both 'A is better' and 'B is better', each at alpha/2",
            "greater": "only 'A is better', claimed before you saw the scores",
        },
        left_out="`two-sided`; `greater` with a margin, for p-values, and in the paper's procedure",
    )
    test: Annotated[
        str,
        Rule("a test must be one that `replicability tests` lists", choices=_tests),
    ] = key(
        "",
        "Test for each dataset. `replicability tests` lists the tests.",
        written="TEST",
        left_out="the test that fits the scores",
    )
    options: Annotated[dict, Options] = key(
        {},
        "Options of the test, such as `n_resamples`.",
        flag="option",
        written="NAME=VALUE",
        again=True,
        left_out="none",
    )
    procedure: Procedure = key(
        "closed",
        "How k-hat and the named datasets are found.",
        values={
            "closed": "by closed testing, with simultaneous confidence for k-hat, the named "
            "datasets and the bounds of groups",
            "paper": "k-hat by partial conjunction testing and named datasets by Holm's procedure, "
            "each with its own guarantee",
        },
        left_out="`closed`",
    )
    method: Annotated[
        str,
        Rule(
            "a method must be a local test of the closed procedure",
            choices=lambda: local_tests.NAMES,
        ),
    ] = key(
        "",
        f"Local test of the closed testing procedure: {_one_of(local_tests.NAMES)}.",
        written="METHOD",
        left_out="the local test that fits the dependence; `joint` if units are shared",
    )
    seed: Seed = key(
        0,
        "Random seed for resampling tests and sign flips. Each dataset has its own random "
        "stream, derived from its name.",
        written="N",
        left_out="0",
    )
    n_flips: (
        Annotated[
            int,
            Rule(
                "the number of flips must be a whole number from 20 to a million", ge=20, le=10**6
            ),
        ]
        | None
    ) = key(
        None,
        "Number of joint sign flips if units are shared. Use at least 100/alpha flips for the "
        "smallest alpha.",
        flag="flips",
        written="N",
        left_out="10,000",
    )

    def called(self, name):
        """Return the label of a system, dataset or group, or its name where it has none."""
        return self.labels.get(name, name)


@dataclass(frozen=True, kw_only=True)
class Levels:
    """Levels of significance. A study sets them once, in `alphas`."""

    alpha: Annotated[
        Level | Annotated[list[Level], Rule("", unique=True, min_length=1)],
        Rule(
            "alpha must be above 0 and at most 0.5, such as 0.05 for 95% confidence, or be a list "
            "of different levels"
        ),
    ] = key(
        0.05,
        "Significance level: all statements have simultaneous confidence 1 - alpha.",
        written="ALPHA",
        again=True,
        left_out="0.05",
    )


@dataclass(frozen=True, kw_only=True)
class Comparison(Question, Source):
    """A question about the scores of a source, as a block of a study declares it.

    `section` is the notebook that shows it, `title` its name for readers. `labels_of_study` says
    whether labels are those of a study, which may name what only another comparison has.
    """

    metrics: Metrics = key(
        {},
        "Test the same claim with several metrics, judges or prompts, under one simultaneous "
        "guarantee. In a table with a row for each item and system, list columns of scores; in "
        "other formats, list metrics. For each metric, say whether a higher or a lower score is "
        "better.",
        written="NAME=higher|lower",
        nargs="+",
        left_out="one metric",
    )
    section: Annotated[
        str, Rule("a section must be the name of the notebook that shows the comparison")
    ]
    title: Annotated[str, Rule("a title must be text", pattern=r"\S")]
    labels_of_study: bool = False

    def __post_init__(self):
        """Add what follows from other fields: two-sided p-values, and the test of splits."""
        if (self.level, self.alternative, self.sided) == ("p-values", "two-sided", ""):
            object.__setattr__(self, "sided", "unknown")
        if self.splits and not self.test:
            object.__setattr__(self, "test", OF_FOLDS[0] if self.within else OF_SPLITS)

    def options_of(self, dataset):
        """Return the options of the test on a dataset."""
        share = self.test_share_of(dataset)
        return self.options if share is None else self.options | {"test_share": share}

    @property
    def crossed(self):
        """Whether the claim covers new runs that each scored every item."""
        return self.claim_covers == "both" and not self.repeats.get("nested")

    @property
    def two_sided(self):
        """Whether both directions are tested, each at alpha/2."""
        if self.alternative:
            return self.alternative == "two-sided"
        asked = (self.level == "p-values", self.claim, self.procedure)
        return asked == (False, "better", "closed")


@dataclass(frozen=True, kw_only=True)
class Family(Comparison):
    """All pairs of several systems over the same datasets; `systems` may be empty, for all.

    Its `files` are of each system by name, beside "gold"; `columns` may have more than two scores.
    """

    systems: Annotated[
        tuple[System, ...],
        Rule(
            "the systems of a family must be a list of three or more different names",
            unique=True,
            min_length=3,
        ),
    ] = ()
    columns: Annotated[dict, FamilyColumns] = field(default_factory=dict)
    files: Annotated[
        dict[Annotated[str, Rule("the name of a system must be text", pattern=r"\S")], File],
        Rule(
            "the files of a family must map each system, and gold if needed, to a file or folder",
            min_length=1,
        ),
    ] = field(default_factory=dict)
    against: System = key(
        "",
        "Name of a baseline. Every other system is compared only with the baseline, in both "
        "directions.",
        written="NAME",
        left_out="all pairs",
    )
    ask_first: Annotated[dict, AskFirst] = key(
        {},
        "Pairs to test before the others, in this order. `leader` names a system, and tests "
        "whether it is better than each of the other systems. `neighbours` lists systems, and "
        "tests whether each is better than the next. Take the order from an earlier leaderboard, "
        "never from the scores that you test. Once a pair's null hypothesis is rejected, its share "
        "of alpha moves to the next step.",
        written="leader=a|neighbours=a,b,c",
        again=True,
        left_out="all pairs at once",
    )

    @property
    def source(self):
        """Where the scores come from, for a message."""
        from replicability.io import families

        return self.file or families.listed(self.files)


@dataclass(frozen=True, kw_only=True)
class Gate:
    """When a new system may replace a base. A policy says it, or the options of a gate."""

    ship: Annotated[
        Annotated[str, Rule("", pattern="^(every|overall)$")] | Annotated[int, Rule("", ge=1)],
        Rule("ship must be every, overall, or a number of datasets (1 or more)"),
    ] = key(
        "every",
        "SHIP requires evidence that the new system is not worse by more than the margin, "
        "on every dataset, on at least K datasets, or overall.",
        written="every|overall|K",
        left_out="`every`",
    )
    block: Annotated[int, Rule("block must be a number of datasets (1 or more)", ge=1)] = key(
        1,
        "BLOCK requires evidence that the new system is worse on at least K datasets.",
        written="K",
        left_out="1",
    )
    must_not_regress: Annotated[
        list[Dataset],
        Rule("must_not_regress must be a list of different datasets", unique=True),
    ] = key(
        (),
        "Datasets on which the new system must not be worse. Evidence that it is worse on any of "
        "these datasets blocks the release, whatever the margin.",
        written="NAME",
        nargs="+",
        left_out="none",
    )
    other_prompts: Annotated[bool, Rule("other_prompts must be true or false")] = key(
        False,
        "Accept runs with different prompts, shots or task settings. By default, the gate "
        "rejects such runs, because different settings may explain a difference in scores.",
        left_out="false",
    )


PLACE = "{keywords}"
"""Docstring placeholder that is replaced by the description of the fields."""

KEYS = {
    name: field.metadata["key"]
    for kind in (Layout, Source, Question, Levels, Family, Gate)
    for name, field in kind.__dataclass_fields__.items()
    if field.metadata
}
"""Maps each field that users set to its description."""


def described(text, kinds):
    """Describe fields in a docstring as numpydoc has it.

    `text`: the docstring. `kinds` (dict of str to str): field -> its type; the values of a choice
    are listed instead.

    Returns str. The docstring with the fields in the place of `PLACE`.
    """
    lines = ""
    for name, kind in kinds.items():
        said = KEYS[name]
        if said.values:
            kind = f"{{{', '.join(map(repr, said.values))}}}"
        kind = kind.removesuffix(" | None").replace("object", "str")
        lines += f"{name} : {kind}, optional\n"
        meaning = f"{said.meaning} By default: {said.left_out}."
        lines += textwrap.indent(textwrap.fill(meaning, 88, break_on_hyphens=False), " " * 4) + "\n"
    # Python 3.13 and later take the indentation off docstrings.
    line = re.search(rf"^( *){re.escape(PLACE)}\n", text, re.MULTILINE)
    return text.replace(line[0], textwrap.indent(lines, line[1]))


OF_PVALUES = ("sided", "resolution")
"""Fields of a source of p-values."""

ASKING = tuple(name for name, field in Question.__dataclass_fields__.items() if field.metadata)
"""Keywords that ask."""

_KINDS = {
    "groups": "dict",
    "labels": "dict",
    "options": "dict",
    "margin": "float or dict",
    "shared": "bool or dict",
}
_KINDS |= {"seed": "int", "n_flips": "int", "over_datasets": "bool"}
Question.__doc__ = described(
    str(Question.__doc__), {name: _KINDS.get(name, "str") for name in ASKING}
)

READING = tuple(
    name
    for kind in (Layout, Source)
    for name, field in kind.__dataclass_fields__.items()
    if field.metadata and name not in OF_PVALUES
)
"""Keywords that say how scores are read, the names of the systems first."""

OF_PAIRS = (
    "metrics",
    "human",
    "groups",
    "over_datasets",
    "claim",
    "margin",
    "alternative",
    "procedure",
    *OF_PVALUES,
)
"""Fields of a comparison that a family does not have."""


class ComparisonKeys(Block):
    """a comparison must be a mapping from keys to values"""

    fields, needed = Comparison, ("name", "systems", "dependence")


class FamilyKeys(Block):
    """a family must be a mapping from keys to values"""

    fields, needed, left_out = Family, ("name", "dependence"), OF_PAIRS


OF_GATES = tuple(Gate.__dataclass_fields__)
"""Fields of a gate."""

GATED = (
    *("margin", "claim_covers", "dependence", "shared", "labels", "test", "options", "method"),
    *("seed", "n_flips"),
)
"""Fields of a comparison that a gate also has."""

READ_BY_GATES = ("higher_is_better", "metric", "filter", "unit", "missing", "repeats")
"""Fields of a source that a policy may set."""


class OfDataset(Block):
    """a dataset in a policy must map margin, must_not_regress or ignore to values"""

    margin: OneMargin
    must_not_regress: Annotated[bool, Rule("must_not_regress must be true or false")]
    ignore: Annotated[bool, Rule("ignore must be true or false")]


class OfGroup(OfDataset):
    """a group in a policy must map datasets, and its settings, to values"""

    needed = ("datasets",)
    datasets: Annotated[
        list[Dataset],
        Rule(
            "a group must be a list of one or more different datasets",
            unique=True,
            min_length=1,
        ),
    ]


class PolicyKeys(Block):
    """a policy must be a mapping from keys to values"""

    datasets: Annotated[
        dict[Dataset, OfDataset],
        Rule("datasets must map each dataset to its own settings", min_length=1),
    ]
    groups: Annotated[
        dict[Text, OfGroup],
        Rule("groups must map the name of each group to its own settings", min_length=1),
    ]

    @classmethod
    def types(cls):
        """Return key -> its type: its own, and those of the gate, the question and its level."""
        own = super().types()
        known = hints(Question) | hints(Levels) | hints(Gate) | hints(Source) | hints(Layout)
        return {key: known[key] for key in (*OF_GATES, *GATED, "alpha", *READ_BY_GATES)} | own


class Section(Block):
    """a section must be a mapping from keys to values"""

    needed = ("title", "item", "question", "scores")
    title: Annotated[
        str, Rule("the title of a section must be one line of text", pattern=r"^[^\n]*\S[^\n]*$")
    ]
    item: Annotated[
        str,
        Rule(
            "an item must be table6, table7 and so on (the names of the section's files begin "
            "with it)",
            pattern="^table([6-9]|[1-9][0-9])$",
        ),
    ]
    question: Annotated[str, Rule("a question must be text", pattern=r"\S")]
    scores: Annotated[
        Annotated[tuple[ScoreKind], Rule("")] | Annotated[tuple[ScoreKind, ScoreMetric], Rule("")],
        Rule(
            "scores must be a list with the kind of the scores and, if needed, the metric, such "
            "as [counts, f1]"
        ),
    ]


class StudyKeys(Block):
    """a study must be a mapping from keys to values"""

    needed = ("study", "alphas")
    study: Annotated[str, _stem("a study")]
    alphas: Annotated[
        tuple[Level, ...],
        Rule(
            "alphas must be a list of different levels of significance, such as [0.05, 0.01]",
            unique=True,
            min_length=1,
        ),
    ]
    procedure: Procedure
    alternative: Alternative
    labels: Labels
    sections: Annotated[
        dict[Annotated[str, _stem("a section")], Section],
        Rule(
            "sections must map the name of each section to its content (leave the key out if "
            "there are none)",
            min_length=1,
        ),
    ]
    remarks: Annotated[
        str, Rule("remarks must be a folder with one Markdown file per section", min_length=1)
    ]
    comparisons: Annotated[
        list[ComparisonKeys],
        Rule(
            "comparisons must be a list with one block per comparison of two systems (leave the "
            "key out if there are none)",
            min_length=1,
        ),
    ]
    families: Annotated[
        list[FamilyKeys],
        Rule(
            "families must be a list with one block per set of three or more systems (leave the "
            "key out if there are none)",
            min_length=1,
        ),
    ]


@dataclass(frozen=True)
class Study:
    """A checked study.

    Attributes
    ----------
    name : str
        Name of the study.
    alphas : tuple of float
        Levels of significance, in (0, 1).
    comparisons : tuple of Comparison
        In the order of the file.
    families : tuple of Family
        Families of which all pairs of systems are compared; empty if the study has none.
    remarks : str
        Folder of what is said about the study, one Markdown file per section; "" if there is none.
    notebooks : dict of str to dict
        Notebook of `host.Host.parameters` that the study runs -> its parameters.
    sections : dict of str to dict
        Section that the study describes itself -> its ``title``, ``item``, ``question`` and
        ``scores``; its notebook is made from the template of all sections on tasks.
    """

    name: str
    alphas: tuple
    comparisons: tuple
    families: tuple = ()
    remarks: str = ""
    notebooks: dict = field(default_factory=dict)
    sections: dict = field(default_factory=dict)

    def section(self, section):
        """Return the comparisons of a section.

        Parameters
        ----------
        section : str
            Name of a notebook.

        Returns
        -------
        list of Comparison
            At least one.

        Raises
        ------
        InputError
            If the study has none.
        """
        from replicability import checks

        found = [comparison for comparison in self.comparisons if comparison.section == section]
        if not found:
            checks.choice("section", section, sorted({c.section for c in self.comparisons}))
        return found
