"""Replicability analysis: on how many datasets, and on which, is system A better than system B?

The modules follow one comparison from its data to its sentence:

========================  ==========================================================
`analysis.data`           reads and checks every input
`analysis.replicability`  counts: partial-conjunction p-values and k-hat
`analysis.identification` identifies: Holm and its relatives
`analysis.simulation`     families of p-values whose truth is known
`analysis.audit`          published number, recomputed number, verdict
`analysis.tables`         rounding, column order, CSV, Markdown and LaTeX
`analysis.plots`          figures
`analysis.paths`          where things lie
========================  ==========================================================

Import what you need, ``from analysis import replicability``; nothing is loaded before.
"""

__version__ = "0.1.0"
