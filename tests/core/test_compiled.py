"""The parts that can be compiled, and whether their compiled form is in use."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec

from scrapy_boilerplate.compiled import PARTS, compiled


def test_a_part_is_in_use_where_it_is_installed():
    assert compiled() == {part: find_spec(f"scrapy_boilerplate.{part}") is not None for part in PARTS}


def test_without_compiled_parts_a_page_has_the_same_blocks():
    page = "<h1>Title</h1><p>Some words of a text, and more of them.</p><p>It was 9:30. \u4eca\u65e5</p>"
    code = (
        "from dataclasses import replace\nfrom scrapy_boilerplate import extract\n"
        f"print([replace(block, score=round(block.score, 3)) for block in extract({page!r}).blocks])"
    )
    hide = f"import sys; sys.modules.update(dict.fromkeys({[f'scrapy_boilerplate.{part}' for part in PARTS]}));"
    check = "from scrapy_boilerplate.compiled import compiled; assert not any(compiled().values());"

    fast, slow = (
        subprocess.run([sys.executable, "-c", before + code], capture_output=True, text=True, check=True).stdout
        for before in ("", hide + check)
    )

    assert fast == slow
