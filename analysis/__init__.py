"""Replicability analysis: on how many datasets, and on which, is system A better than system B?

The modules follow one comparison from its data to its sentence:

=========================  =================================================================
`replicability.io.study`            reads and checks every input
`replicability.io.instances`       scores of instances, matched by identifier
`replicability.io.formats`         outputs, logs and tables of people's own, one file per dataset
`replicability.io.conllu`          CoNLL-U outputs against gold, as the CoNLL 2018 shared task scores them
`replicability.stats.metrics`         system outputs to the sums that a metric is made of
`replicability.compare.recommendation`  which test? the choices of Section 6.2
`replicability.stats.paired`    the tests of one dataset, by name: scores to a p-value
`replicability.compare.evaluation`      a comparison's instances to one p-value per dataset
`replicability.compare.all_pairs`           all pairs of several systems
`replicability.stats.exact`           exact tails: bootstrap and sign-flip test without resamples
`replicability.stats.resampling`      Monte Carlo for metrics that have no exact tail
`replicability.stats.correlation`     two correlations with the same gold ratings
`replicability.stats.partial_conjunction`   counts: partial-conjunction p-values and k-hat
`replicability.stats.multiple_testing`  identifies: Holm and its relatives
`replicability.stats.simulation`      families of p-values whose truth is known
`analysis.sogaard2014.many_metrics`    a free choice among tests, and how much of what is found is true
`replicability.stats.saddlepoint`     the paired bootstrap of many samples at once, without resamples
`analysis.sogaard2014.free_choice`     metric, sample and length: p-values of real outputs
`analysis.gorman2019.splits`          taggers on a standard split and on random ones
`analysis.gorman2019.agreement`       taggers as coders: Krippendorff's alpha of each sentence
`replicability.stats.type1_error`     how often each test of one dataset rejects a true null hypothesis
`replicability.audit`           published number, recomputed number, verdict
`replicability.compare.findings`          findings and the sentence about them
`replicability.show.tables`          rounding, column order, CSV, Markdown and LaTeX
`replicability.show.figures`           figures
`replicability.show.html_report`            a study on one page to send
`replicability.show.widgets`         widgets: move alpha, dependence and method
`replicability.cli`         the command line, ``python -m replicability``
`replicability.checks`          the checks of arguments, and `InputError`
`replicability.io.files`           files that are written whole or not at all
`replicability.io.provenance`      what made a figure or a table
`analysis.sources`         the upstream files of the open study
`analysis.workflow`        what the Snakefile needs to know
`replicability.io.paths`           where things lie
=========================  =================================================================

Import what you need, ``from analysis import replicability``; nothing is loaded before.
"""

__version__ = "0.1.0"
