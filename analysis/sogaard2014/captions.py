"""Captions of the tables; names in braces are filled in by the notebooks."""

TOY_EXAMPLES = (
    "Probability of a false positive if tests are chosen freely, and probability that k-hat is "
    "above zero."
)

PPV = (
    "Positive predictive values in Section 4 of Søgaard et al. (2014) with R = {ratio:g} and beta "
    "= {beta:g}: published, recomputed (u = 0) and with bias."
)

SELECTION = (
    "Share of studies that claim a difference over all domains although the mean difference is 0 "
    "(two-sided, .05). The true differences vary between domains with a standard deviation of one "
    "point."
)

ACROSS = (
    "Share of 4,000 draws in which each test over datasets rejects at .05 (two-sided), although "
    "the mean difference over the population is 0. A skewed population has a nonzero median."
)

ACROSS_PUBLISHED = (
    "Error reduction by the first system relative to the second, from the scores of Dror et al. "
    "(2017), with two-sided p-values. Table 4 repeats each test set three times, so its setups are "
    "not independent."
)

AGREEMENT = (
    "Share of draws in which one of two systems is ahead on all metrics, and the share expected "
    "for independent metrics. Each of {n_draws} draws for a domain swaps the outputs of {names} on "
    "each sentence with probability one half."
)

MEASURES = (
    "{names}, both directions at joint level .05 (closed testing, Bonferroni): k-hat over all "
    "cells of datasets and metrics, the lower bound for each metric, the named cells, and the "
    "number of datasets with a named cell. All bounds and named cells are simultaneous."
)

DATA = (
    "Unknown words are word forms that do not occur in UD 1.4 English (development), the Penn "
    "Treebank sample or MASC. The -DOCSTART- lines of CoNLL 2003, one per article, are left out."
)

TAGGING = (
    "p-values of the bootstrap (b) and Wilcoxon's test (w) for {names}, which replace LAPOS and "
    "STANFORD here. They are marked + if {a} is ahead, and − if {b} is."
)

PARSING = (
    "p-values of the bootstrap for {names}, which replace MALT-LIN and STANFORD-RNN here. They "
    "are marked + if {a} is ahead, and − if {b} is."
)

ENTITIES = (
    "F1 in per cent, and p-values of the bootstrap, marked + if the first system is ahead, and − "
    "if the second is. Last column: the p-value (r + 1)/(B + 1) from resamples, ± standard error."
)

SUBSAMPLES = (
    "Share of {n_draws} random samples with p ≤ {alpha:g}, by the share of sentences in a sample; "
    "blank below {minimum} sentences. LAS, UAS and TA compare {names}, F1 compares {names_ner}. "
    "At 100%, there is only one sample. The -DOCSTART- lines of CoNLL 2003 are included, as in the "
    "archive."
)

BESIDE_PUBLISHED = (
    "Number of datasets with p ≤ {alpha:g} in the text of Søgaard et al. (2014), and for {names} "
    "on 15 domains. For growing samples, p is the mean p-value over all random orders, or the "
    "p-value in one order."
)

FAMILIES = (
    "Each choice as a family of tests: number of p-values ≤ {alpha:g} for the system that is "
    "ahead, Bonferroni's k-hat from two-sided p-values, and the smallest p-value. The families "
    "are: metrics on all sentences; sample sizes with the first metric; sentence lengths with the "
    "first metric; every metric at every size and length. The samples follow the first random "
    "order of the sentences."
)

DOMAINS = (
    "{names} on 15 English domains: difference of the macro-averages with Wilcoxon's test across "
    "domains (two-sided). For each system: number of one-sided p-values ≤ {alpha:g}, k-hat, and "
    "the domains that Holm's procedure identifies."
)
