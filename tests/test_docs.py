"""The documentation keeps its promises: links lead somewhere, cited equations exist, examples compile."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
THEORY = ROOT / "docs" / "theory"
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "examples").rglob("*.md")])

LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.MULTILINE | re.DOTALL)
# A citation such as T2012-(7), J2011-(3b) or B2024-(E2): paper, then the equation's number.
CITATION = re.compile(r"\b([A-Z]20\d\d)-\((\w+)\)")


def without_code(markdown: str) -> str:
    """The text with its code blocks and code spans blanked: what looks like a link there is none."""
    return re.sub(r"`[^`\n]*`", "", FENCE.sub("", markdown))


def heading_anchors(markdown: str) -> set[str]:
    """The anchors that GitHub gives the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", FENCE.sub("", markdown), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).strip().replace(" ", "-") for heading in headings}


def broken_links(page: Path) -> list[str]:
    """Relative links of ``page`` that lead nowhere: a missing file, or a heading that is not in it."""
    broken = []
    for target in LINK.findall(without_code(page.read_text(encoding="utf-8"))):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        file = page.parent / name if name else page
        if not file.exists() or (anchor and anchor not in heading_anchors(file.read_text(encoding="utf-8"))):
            broken.append(target)
    return broken


def numbered_equations(markdown: str) -> set[str]:
    r"""The numbers that a theory page gives to its equations, each as ``\tag{7}``."""
    return set(re.findall(r"\\tag\{(\w+)\}", markdown))


def cited_equations() -> Iterator[tuple[str, str, str]]:
    """(file, paper, number) of every equation cited in code, tests and documentation."""
    files = [*(ROOT / "src").rglob("*.py"), *(ROOT / "tests").rglob("*.py"), *PAGES]
    for file in sorted(set(files) - {Path(__file__)}):
        for paper, number in CITATION.findall(file.read_text(encoding="utf-8")):
            yield str(file.relative_to(ROOT)), paper, number


def missing_equations(cited: Iterator[tuple[str, str, str]], theory: Path) -> list[str]:
    """Citations whose equation stands in no page of ``theory``."""
    pages = {page.stem.upper(): numbered_equations(page.read_text("utf-8")) for page in theory.glob("*.md")}
    return [
        f"{file} cites {paper}-({number}), which is no \\tag of theory/{paper.lower()}.md"
        for file, paper, number in cited
        if number not in pages.get(paper, set())
    ]


def python_blocks(markdown: str) -> list[str]:
    """The code blocks of a page that are marked as Python."""
    return [code for language, code in FENCE.findall(markdown) if language == "python"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_relative_links_lead_somewhere(page: Path) -> None:
    assert broken_links(page) == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_examples_compile(page: Path) -> None:
    for code in python_blocks(page.read_text(encoding="utf-8")):
        compile(code, str(page), "exec")


def test_cited_equations_exist() -> None:
    assert missing_equations(cited_equations(), THEORY) == []


@pytest.mark.parametrize("page", sorted(THEORY.glob("*.md")), ids=lambda page: page.name)
def test_equation_numbers_are_unique(page: Path) -> None:
    numbers = re.findall(r"\\tag\{(\w+)\}", page.read_text(encoding="utf-8"))
    assert sorted(numbers) == sorted(set(numbers))


def test_a_broken_link_is_found(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    text = "# One way\n[a](gone.md) [b](#one-way) [c](#no-way) [d](https://example.org) `[e](no.md)`\n"
    page.write_text(text, encoding="utf-8")
    assert broken_links(page) == ["gone.md", "#no-way"]


def test_a_missing_equation_is_found(tmp_path: Path) -> None:
    (tmp_path / "t2012.md").write_text(r"$$a = b \tag{2a}$$", encoding="utf-8")
    cited = [("x.py", "T2012", "2a"), ("x.py", "T2012", "2b"), ("x.py", "Q2099", "1")]
    assert [line.split()[2] for line in missing_equations(iter(cited), tmp_path)] == [
        "T2012-(2b),",
        "Q2099-(1),",
    ]


def test_a_python_block_that_does_not_compile_is_found() -> None:
    (code,) = python_blocks("```python\nfor for\n```\n```sh\nls\n```\n")
    with pytest.raises(SyntaxError):
        compile(code, "page", "exec")
