"""The pages' own Python runs, from top to bottom."""

import re
from pathlib import Path

import pytest
from conftest import ROOT


@pytest.mark.parametrize(("page", "count"), [("docs/guide/python.md", 11), ("docs/getting-started/science.md", 3), ("python/README.md", 1)])
def test_a_page_runs(page: str, count: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = re.findall(r"^```python\n(.*?)^```", (ROOT / page).read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)
    assert len(blocks) == count
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    for block in blocks:
        exec(compile(block, page, "exec"), names)
