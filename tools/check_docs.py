#!/usr/bin/env python3
"""The documents name files and folders that exist. Usage: check_docs.py [ROOT]; exit 1 if one does not.

Looked at are the targets of links and, in `quotes`, what begins with a folder of the project.
"""
import pathlib
import re
import sys

LINK = re.compile(r"\]\(([^)#\s]+)[^)]*\)")
QUOTED = re.compile(r"`((?:src|include|tests|tools|docs|render|bench|apps|scenes|cmake)/[\w./-]+)`")


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    documents = sorted([*root.glob("*.md"), *root.glob("docs/*.md")])
    problems = []
    for document in documents:
        text = document.read_text()
        links = [(name, document.parent) for name in LINK.findall(text) if "://" not in name]
        for name, base in links + [(name, root) for name in QUOTED.findall(text)]:
            if not (base / name).exists():
                problems.append(f"{document.relative_to(root)}: there is no {name}")
    for problem in problems:
        print(problem)
    print(f"{len(documents)} documents, {len(problems)} problems")
    return 1 if problems or not documents else 0


if __name__ == "__main__":
    sys.exit(main())
