"""Captions of the tables; names in braces are filled in by the notebooks."""

OTHERS = "Taggers and corpora differ from the paper's."

SIZES = "Sizes of the standard split in the paper and here."

STANDARD_SPLIT = "Accuracies on the standard split with {level:.0%} Wilson intervals."

SEPARATED = "Pairs of taggers on the standard split, by McNemar's two-sided mid-p test."

RANKINGS = "Rankings on the standard split, and the number of random splits on which they recur."

NEIGHBOURS = (
    "Selected pairs of taggers on random splits at alpha = {alpha:g}; differences are in "
    "percentage points."
)

ALL_PAIRS = (
    "All pairs of taggers on the standard split and on random splits at alpha = {alpha:g}; "
    "differences are in percentage points."
)

RANGES = (
    "Accuracy on the standard split with its {level:.0%} interval; range and mean over random "
    "splits, and the numbers of random splits with an accuracy below, within and above the "
    "interval."
)

UNKNOWN_WORDS = (
    "Share of unknown words in the standard split and in random splits (mean, smallest, largest), "
    "and the difference in token accuracy that these shares explain."
)

DESIGN_EFFECTS = (
    "Design effect of sentences: median (smallest to largest) over the random splits. Also the "
    "number of splits with a significant difference in tests on words and in tests on sentences "
    "at alpha = {alpha:g}."
)

PROGRESS = "Token errors on the standard split (percent) and their differences (percentage points)."

DISAGREEMENT = (
    "Sentences and words in the test set of the standard split on which the taggers disagree."
)

KINDS = (
    "Sentences on which the taggers disagree, by Krippendorff's alpha: median length, share "
    "without a finite verb, and share of the disputed words that only some taggers tag as proper "
    "nouns."
)

LOWEST = (
    "Sentences with the lowest agreement: identifier, length, alpha, words (where we may show "
    "them), gold tags and each tagger's tags. A raised dot marks a word on which all taggers agree."
)

TABLE4 = (
    "Sentences with the lowest agreement among those of {shortest} to {longest} words. A raised "
    f"dot marks a word on which all taggers agree. {OTHERS}"
)

CONFUSIONS = (
    "Pairs of tags that taggers most often give to the same word, and which of the two is the gold "
    "tag."
)
