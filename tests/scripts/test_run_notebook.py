"""Running one notebook."""

import sys

import nbformat

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import run_notebook


def test_what_a_cell_prints_is_one_output_however_it_arrives(tmp_path):
    lines = "import sys\nfor i in range(50):\n    print(i, flush=True)\n    sys.stdout.flush()"
    code = f"import time\n{lines}\ntime.sleep(0.5)\nprint('last')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code)])
    path, executed = tmp_path / "printed.ipynb", tmp_path / "executed.ipynb"
    nbformat.write(notebook, path)
    assert run_notebook.main([str(path), "--executed", str(executed)]) == 0
    (cell,) = nbformat.read(executed, as_version=4).cells
    (output,) = cell.outputs
    assert output.text == "".join(f"{i}\n" for i in range(50)) + "last\n"
