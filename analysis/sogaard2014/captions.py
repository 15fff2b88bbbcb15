"""Captions of the tables; names in braces are filled in by the notebooks."""

TOY_EXAMPLES = (
    "Probability that a free choice finds a difference where there is none, and that k-hat is "
    "above zero."
)

PPV = (
    "Section 4 of Søgaard et al. (2014) with R = {ratio:g} and beta = {beta:g}: published, "
    "recomputed (u = 0) and with bias."
)

SELECTION = (
    "Share of studies that claim a difference over all domains although its mean is 0 (two-sided, "
    ".05). The true differences vary between domains with a standard deviation of one point."
)

ACROSS = (
    "Share of 4,000 draws in which each test over datasets rejects at .05 (two-sided), although "
    "the mean difference over the population is 0. A skewed population has a median other than 0."
)

ACROSS_PUBLISHED = (
    "Error reduction of the first system over the second, from the scores of Dror et al. (2017), "
    "with two-sided p-values. Table 4 repeats each test set three times, so its setups are not "
    "independent."
)

AGREEMENT = (
    "Share of draws in which one of two systems is ahead by all metrics, and the share for "
    "independent metrics. Each of {n_draws} draws for a domain swaps the outputs of {names} on "
    "each sentence with probability one half."
)

MEASURES = (
    "{names}, both directions at joint level .05 (closed testing, Bonferroni): k-hat over all "
    "cells, its bound for each metric, the named cells, and the number of their datasets. All "
    "bounds and names are simultaneous."
)

DATA = (
    "Unknown words are forms outside UD 1.4 English (development), the Penn Treebank sample and "
    "MASC. The lines -DOCSTART- of CoNLL 2003, one for each article, are left out."
)

TAGGING = (
    "p-values of the bootstrap (b) and Wilcoxon's test (w) for {names}, in place of LAPOS and "
    "STANFORD; + where {a} is ahead, − where {b} is."
)

PARSING = (
    "p-values of the bootstrap for {names}, in place of MALT-LIN and STANFORD-RNN; + where {a} is"
    " ahead, − where {b} is."
)

ENTITIES = (
    "F1 in per cent, and p-values of the bootstrap; + where the first system is ahead, − where "
    "the second is. Last column: (r + 1)/(B + 1) from resamples, ± standard error."
)

SUBSAMPLES = (
    "Share of {n_draws} random samples with p ≤ {alpha:g}, by the share of sentences in a sample; "
    "blank below {minimum} sentences. LAS, UAS and TA compare {names}, F1 compares {names_ner}. "
    "At 100% there is one test. Here the lines -DOCSTART- of CoNLL 2003 count, as in the archive."
)

BESIDE_PUBLISHED = (
    "Number of datasets with p ≤ {alpha:g} in the text of Søgaard et al. (2014), and for {names} "
    "on 15 domains. Growing samples: by the mean p-value over all random orders, and in one order."
)

FAMILIES = (
    "Choices as families of tests: how many p-values of the system ahead are at most {alpha:g}, "
    "Bonferroni's k-hat from two-sided p-values, and the smallest p-value. Families: metrics on "
    "all sentences; sample sizes (first order) and sentence lengths with the first metric; any of"
    " them."
)

DOMAINS = (
    "{names} on 15 English domains: difference of the macro-averages with Wilcoxon's test across "
    "domains (two-sided). For each system: number of one-sided p ≤ {alpha:g}, k-hat, and the "
    "domains that Holm's procedure identifies."
)
