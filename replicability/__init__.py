"""On how many datasets, and on which, is system A better than system B?

Layers, each of which imports only those below it:

=======================  ==========================================================================
`replicability.cli`      the command line, ``python -m replicability``
`replicability.audit`    checks of the numbers that any paper prints
`replicability.show`     tables, figures, the page to send: the only place that rounds and draws
`replicability.compare`  one comparison or family, from instances to findings
`replicability.io`       files in, checked objects out
`replicability.stats`    counting, naming and tests; reads and draws nothing
`replicability.checks`   `InputError` and the checks of arguments
=======================  ==========================================================================

Import what you need, ``from replicability.stats import partial_conjunction``; nothing is loaded
before.
"""

__version__ = "0.1.0"
