"""Running one notebook."""

import sys

import nbformat
import pytest

from analysis import paths

sys.path.insert(0, str(paths.ROOT / "scripts"))
import run_notebook


def notebook(path, *codes):
    cells = [nbformat.v4.new_code_cell(code) for code in codes]
    cells[0].metadata["tags"] = ["parameters"]
    kernel = {"display_name": "Python 3", "language": "python", "name": "python3"}
    made = nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel})
    nbformat.write(made, path)
    return path


def test_the_executed_copy_has_the_values_in_the_place_of_the_defaults(tmp_path):
    declared = (
        'study: str = "é.yaml"  # the study\n'
        "levels: list = [\n    0.05,\n]  # levels\n"
        'outputs: str = "results/lab"  # folder'
    )
    made = "print(study, levels, outputs.endswith('staging'))\nprint(outputs)"
    path, executed = notebook(tmp_path / "n.ipynb", declared, made), tmp_path / "executed.ipynb"
    given = {"study": 'été "2".yaml', "levels": [0.01, 0.1]}
    run_notebook.run(path, executed, given)
    first, second = nbformat.read(executed, as_version=4).cells
    assert first.source == (
        'study: str = "été \\"2\\".yaml"  # the study\n'
        "levels: list = [0.01, 0.1]  # levels\n"
        'outputs: str = "results/lab"  # folder'
    )
    assert (first.execution_count, second.execution_count) == (1, 2)
    assert second.outputs[0].text == 'été "2".yaml [0.01, 0.1] False\nresults/lab\n'
    assert [file.name for file in tmp_path.iterdir() if file.is_dir()] == []


@pytest.mark.parametrize("code", ["x: int = 1", "x = 1\ny = 2"])
def test_a_notebook_that_does_not_say_where_it_writes_is_refused(tmp_path, capsys, code):
    path, executed = notebook(tmp_path / "n.ipynb", code), tmp_path / "executed.ipynb"
    executed.write_text("kept", encoding="utf-8")
    asked = [str(path), "--executed", str(executed), "--outputs", str(tmp_path / "t.csv")]
    assert run_notebook.main(asked) == 1
    assert "add a cell with the tag parameters" in capsys.readouterr().err
    assert executed.read_text(encoding="utf-8") == "kept"


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


@pytest.mark.parametrize(("room", "transport"), [(run_notebook.SOCKET, "ipc"), (1, "tcp")])
def test_a_kernel_takes_no_port_that_another_may_take_first(tmp_path, monkeypatch, room, transport):
    monkeypatch.setattr(run_notebook, "SOCKET", room)
    code = "import ipykernel\nprint(ipykernel.get_connection_info(unpack=True)['transport'])"
    executed = tmp_path / "executed.ipynb"
    run_notebook.run(notebook(tmp_path / "n.ipynb", "x: int = 1", code), executed, {})
    assert nbformat.read(executed, as_version=4).cells[1].outputs[0].text == f"{transport}\n"
