"""How the instances of a comparison lie in a table: by row, or by column, one part or several."""

import pyarrow as pa
import pyarrow.compute as pc

from replicability.io import cells, delimited, matrices, missing


def read(comparison, headers, encoded):
    """Read the columns of a comparison.

    Parameters
    ----------
    comparison : study.Comparison
        Its file and, where the datasets of the table have parts, `by`.
    headers : dict of str to str
        New name -> header.
    encoded : sequence of str
        New names of columns with few different values.

    Returns
    -------
    pyarrow.Table
        The columns under their new names, a row for each instance; of a table with a row for each
        system ``dataset``, ``instance``, ``system`` and ``score``.

    Raises
    ------
    InputError
        As `delimited.columns`, or if a score in a table with a row for each system is missing.
    """
    if set(headers) <= {"system", "dataset"}:
        lenient = comparison.missing != missing.REFUSE
        return matrices.by_instance(comparison.file, headers, comparison.name, lenient)
    if not comparison.by:
        return delimited.columns(comparison.file, headers, encoded=encoded)
    table = delimited.columns(comparison.file, headers | {"by": comparison.by}, encoded=encoded)
    for key in ("dataset", "by"):
        cells.refuse_blank(comparison.file, table[key], key)
    names = [table[key].cast(pa.string()) for key in ("dataset", "by")]
    joined = pc.binary_join_element_wise(*names, " / ")
    return table.drop_columns("by").set_column(
        table.schema.get_field_index("dataset"), "dataset", joined
    )
