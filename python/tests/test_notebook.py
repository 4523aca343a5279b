"""The tutorial notebook runs from its first cell to its last, in a kernel of its own."""

from pathlib import Path

import nbformat
from nbclient import NotebookClient

NOTEBOOK = Path(__file__).parents[1] / "examples" / "tutorial.ipynb"


def test_tutorial() -> None:
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbformat.validate(notebook)
    # A reader of the file sees its results: every cell of code is stored as run, in order, and no cell with an error.
    stored = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in stored] == list(range(1, len(stored) + 1))
    assert sum(bool(cell.outputs) for cell in stored) > 8 and not any(out.output_type == "error" for cell in stored for out in cell.outputs)
    assert NOTEBOOK.stat().st_size < 200_000
    # In a folder without the package: the installed one is meant. However long a busy machine takes for a cell.
    NotebookClient(notebook, timeout=None, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOK.parent)}}).execute()
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert len(code) > 8 and all(cell.execution_count for cell in code)
    assert any("-ct" in str(cell.outputs) for cell in code)
