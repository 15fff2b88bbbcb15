"""How often is what the program says by default false? Measured where the truth is known.

==============================  =================================================================
`analysis.levels.populations`   scores of systems whose difference is chosen
`analysis.levels.cells`         the grid of what is measured, and its tallies in files
`analysis.levels.measure`       comparisons of one cell, and how many of them say a false sentence
`analysis.levels.judge`         which cells hold the level, and which need care
==============================  =================================================================
"""
