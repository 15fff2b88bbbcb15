"""What the notebooks of this compendium share: a wing for each paper or study, on `replicability`.

=======================  ===========================================================================
`analysis.dror2017`      Dror et al. (2017): figures and tables, and an audit of what is printed
`analysis.sogaard2014`   Søgaard et al. (2014): many metrics, samples, lengths, what is true of it
`analysis.gorman2019`    Gorman and Bedrick (2019): random splits, agreement of taggers
`analysis.leaderboards`  benchmarks of 2018 to 2025: what their leaderboards cannot say
`analysis.levels`        how often the default call says something false, by simulation
`analysis.methods`       how the methods behave where the truth is known, by simulation
`analysis.schemas`       YAML files of the compendium, checked against JSON Schema
`analysis.sections`      what the notebooks on a task share
`analysis.assembly`      their notebooks, made of the blocks that a study has a use for
`analysis.remarks`       what a study says about its results, with numbers filled in
`analysis.prose`         numbers in prose: what they are made from, and their present values
`analysis.verdicts`      words of judgement: what makes a yes, a most or a third
`analysis.numbers`       what the numbers of each document are made from
`analysis.fields`        the comments that `analysis.prose` computes, and texts without them
`analysis.items`         every table and figure, as ``config/items.yaml`` lists them
`analysis.sources`       the upstream files of the open study
`analysis.suites`        what benchmark suites, and the open study's own datasets, can show
`analysis.command`       command lines of scripts
`analysis.workflow`      what the Snakefile needs to know
`analysis.widgets`       a comparison whose settings a reader moves
`analysis.paths`         where the compendium lies
`analysis.published`     the numbers typed from the papers
`analysis.audited`       the totals of the audits, which every front door states
`analysis.living`        published counts of datasets, and what their own numbers support
`analysis.tallies`       tallies of simulations in files
`analysis.studies`       studies that may ask for notebooks of the compendium
=======================  ===========================================================================
"""
