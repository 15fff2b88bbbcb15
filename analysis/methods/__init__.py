"""How the methods behave where the truth is known, and methods that only one paper used.

==========================================  ========================================================
`analysis.methods.simulation`               families of p-values with known truth
`analysis.methods.shards`                   the same at scale: settings, shards and their sums
`analysis.methods.shared_units`             level and power where datasets share units
`analysis.methods.grids`                    the same at scale: cells and tallies in files
`analysis.methods.type1_error`              sizes of the tests of one dataset
`analysis.methods.margin_sizes`             sizes and power of the tests with a margin
`analysis.methods.repeats`                  sizes of the tests of splits and of runs
`analysis.methods.judged`                   sizes of the test of a judge that people correct
`analysis.methods.release_rules`            false blocks and misses of rules for releases
`analysis.methods.releases`                 figure and tables of these, and what a suite would need
`analysis.methods.saddlepoint`              thousands of bootstraps at once, by approximation
`analysis.methods.across_datasets`          tests of a difference over the population of datasets
`analysis.methods.predictive_value`         how many significant findings are true
==========================================  ========================================================
"""
