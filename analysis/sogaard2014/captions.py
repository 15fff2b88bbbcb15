"""Captions of the tables; names in braces are filled in by the notebooks."""

TOY_EXAMPLES = (
    "Probability that a free choice finds a difference where there is none, and k-hat by "
    "Bonferroni for the same tests."
)

PPV = (
    "Section 4 of Søgaard et al. (2014) with R = {ratio:g} and beta = {beta:g}: published, "
    "recomputed (u = 0) and with bias."
)

SELECTION = (
    "Share of studies that claim a difference over all domains where its mean is 0, by the way the "
    "test sets are chosen and the items of each; the true differences of domains have a standard "
    "deviation of one point. Two-sided at .05."
)

ACROSS = (
    "Share of draws in which each test over datasets rejects, where the mean difference over the "
    "population is 0; two-sided at .05, 4,000 draws. The median of a skewed population is not 0."
)

ACROSS_PUBLISHED = (
    "Error reduction of the first system over the second across datasets, from the scores of "
    "Dror et al. (2017), Tables 2 to 4, with two-sided p-values. Table 4 repeats each test set "
    "three times, so that its setups are not independent."
)

AGREEMENT = (
    "{names}: share of draws in which one of two systems that do not differ is ahead by all "
    "metrics, beside the share for independent metrics. In a draw the outputs on every sentence "
    "are exchanged with probability one half; {n_draws} draws of each domain."
)

MEASURES = (
    "{names}: domains and metrics counted together, in both directions at joint level .05: k-hat "
    "over all cells, its bound for each metric, and how many cells are named, on how many domains "
    "(closed testing, Bonferroni; all of it holds together)."
)

DATA = (
    "Domains of the English treebanks of CoNLL 2018, and the sets of CoNLL 2003; unknown words are "
    "forms outside UD 1.4 English (development), the Penn Treebank sample and MASC. The archive of "
    "CoNLL 2003 counts its lines -DOCSTART-, one for each article, as sentences and words; here "
    "they are left out."
)

TAGGING = (
    "{names} in place of LAPOS and STANFORD: p-values by tagging accuracy (TA), accuracy on "
    "unknown words (UA) and mean sentence accuracy (SA), by bootstrap (b) and Wilcoxon's test (w); "
    "+ where {a} is ahead, − where {b} is."
)

PARSING = (
    "{names} in place of MALT-LIN and STANFORD-RNN: p-values of the bootstrap by LAS and UAS; + "
    "where {a} is ahead, − where {b} is."
)

ENTITIES = (
    "The paper's own systems: F1 in per cent and p-values of the bootstrap by metric; + where the "
    "first system is ahead, − where the second is; in the last column with (r + 1)/(B + 1) from "
    "resamples ± standard error."
)

SUBSAMPLES = (
    "Share of {n_draws} random samples with p ≤ {alpha:g}, by the share of the sentences in a "
    "sample: {names} by LAS, UAS and TA, {names_ner} by F1; blank for samples of fewer than "
    "{minimum} sentences. All sentences are tested once; those of CoNLL 2003 are counted as in the "
    "archive, with its lines -DOCSTART-."
)

BESIDE_PUBLISHED = (
    "Datasets with p ≤ {alpha:g}, as the text of Søgaard et al. (2014) counts them with LAPOS and "
    "STANFORD or MALT-LIN and STANFORD-RNN, beside {names} on 15 domains; sizes with the mean "
    "p-value of all orders, and in one order."
)

FAMILIES = (
    "Choices as families of tests: p-values of at most {alpha:g} for the system ahead, of how "
    "many, k-hat by Bonferroni from two-sided p-values, and the smallest p-value; by metric on all "
    "sentences, by sample size (first order) and sentence length with the first metric, and by any "
    "of them."
)

DOMAINS = (
    "{names} on 15 English domains, metric by metric: difference of the macro-averages and "
    "Wilcoxon's test across domains (two-sided), and for each system on how many domains it is "
    "better: one-sided p ≤ {alpha:g}, k-hat, and the domains that Holm's procedure identifies."
)
