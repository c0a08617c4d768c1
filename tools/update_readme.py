#!/usr/bin/env python3
"""Puts quoted files into README.md, between <!-- quote PATH --> and <!-- end -->.

Usage: update_readme.py [--check]. With --check nothing is written; exit 1 if it would be.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
QUOTE = re.compile(r"(<!-- quote (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def quoted(match):
    text = (ROOT / match.group(2)).read_text()
    return f"{match.group(1)}```cpp\n{text}```\n{match.group(3)}"


def main():
    readme = ROOT / "README.md"
    old = readme.read_text()
    new = QUOTE.sub(quoted, old)
    if not QUOTE.search(old):
        print("README.md quotes nothing")
        return 1
    if new == old:
        return 0
    if "--check" in sys.argv:
        print("README.md is not up to date: run tools/update_readme.py")
        return 1
    readme.write_text(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
