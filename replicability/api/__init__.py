"""Three lines of Python: from frames, arrays, p-values, files or a study to a result.

``import replicability`` has all of it: `replicability.compare`, `replicability.count`,
`replicability.bounds`, `replicability.all_pairs`, `replicability.read_study`, `replicability.save`,
`replicability.design`, `replicability.audit`, `replicability.check` and what they return.
"""
