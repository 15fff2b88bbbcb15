"""Captions of the tables; names in braces are filled in by the notebooks."""

OTHERS = "Taggers and corpora are not those of the paper."

SIZES = "Sizes of the standard split in the paper and here."

STANDARD_SPLIT = "Accuracies on the standard split with {level:.0%} Wilson intervals."

SEPARATED = "Pairs of taggers on the standard split, by McNemar's two-sided mid-p test."

RANKINGS = "Rankings on the standard split, and on how many random splits they return."

NEIGHBOURS = (
    "Neighbouring taggers on random splits; differences in percentage points, alpha = {alpha:g}."
)

ALL_PAIRS = (
    "All pairs of taggers: standard split and random splits at alpha = {alpha:g}; differences in "
    "percentage points."
)

RANGES = (
    "Accuracy on the standard split with its {level:.0%} interval, and range and mean over random "
    "splits; how many are below, within, above."
)

UNKNOWN_WORDS = (
    "Unknown words of the standard split and of random splits (mean, smallest, largest), and the "
    "difference in token accuracy that they explain."
)

DESIGN_EFFECTS = (
    "Design effect of sentences, median (smallest to largest) over the random splits, and splits "
    "that are significant by words and by sentences at alpha = {alpha:g}."
)

PROGRESS = "Token errors on the standard split in percent and percentage points."

DISAGREEMENT = "Sentences and words of the standard test part on which the taggers disagree."

KINDS = (
    "Sentences with disagreement by Krippendorff's alpha of the taggers: length, sentences without "
    "a finite verb, and words disputed as proper nouns."
)

LOWEST = (
    "Sentences of lowest agreement: identifier, number of words, alpha, words where they may be "
    "shown, gold tags and tags of each tagger. A raised dot is a word on which all taggers agree."
)

TABLE4 = (
    "The sentences of {shortest} to {longest} words with the lowest agreement. A raised dot is a "
    f"word on which all agree. {OTHERS}"
)

CONFUSIONS = (
    "Pairs of tags that taggers give to the same word most often, and which of them is the gold "
    "tag."
)
