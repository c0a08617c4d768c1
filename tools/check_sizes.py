#!/usr/bin/env python3
"""No file over 1000 lines, no function over 80. Usage: check_sizes.py [ROOT]; exit 1 if there is one.

A function is a brace block behind a closing parenthesis that is inside no other function; its
length runs from the line of its opening brace to the line of its closing one.
"""
import pathlib
import re
import sys

FILE_LIMIT, FUNCTION_LIMIT = 1000, 80
FOLDERS = ("include", "src", "render", "bench", "apps", "tests", "tools")
HIDDEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'',
                    re.DOTALL)
NOT_A_FUNCTION = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b")
FUNCTION_HEAD = re.compile(r"\)\s*(const|noexcept|override|final|mutable|->[^{};]*|:[^{};]*|\s)*$")


def blank(match):
    """Comments and literals become spaces, line breaks stay."""
    return re.sub(r"[^\n]", " ", match.group(0))


def functions(text):
    """(line, lines) of each function of a C++ text."""
    text = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", blank, HIDDEN.sub(blank, text), flags=re.MULTILINE)
    result, depth, start, inside, head = [], 0, 0, None, 0
    for i, c in enumerate(text):
        if c == "{":
            before = text[head:i]
            if inside is None and FUNCTION_HEAD.search(before) and not NOT_A_FUNCTION.search(before):
                inside, start = depth, i
            depth += 1
            head = i + 1
        elif c == "}":
            depth -= 1
            head = i + 1
            if inside == depth:
                first = text.count("\n", 0, start) + 1
                result.append((first, text.count("\n", start, i) + 1))
                inside = None
        elif c == ";":
            head = i + 1
    return result


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(p * len(values)))] if values else 0


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    problems, headers, files, lengths = [], [], [], []
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix not in {".h", ".cpp", ".inl", ".py"}:
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            lines = text.count("\n") + 1
            (headers if path.suffix == ".h" else files).append(lines)
            if lines > FILE_LIMIT:
                problems.append(f"{path.relative_to(root)}: {lines} lines, at most {FILE_LIMIT}")
            if path.suffix == ".py":
                continue
            for line, length in functions(text):
                lengths.append(length)
                if length > FUNCTION_LIMIT:
                    problems.append(f"{path.relative_to(root)}:{line}: a function of {length} lines, "
                                    f"at most {FUNCTION_LIMIT}")
    for problem in problems:
        print(problem)
    for name, values in (("headers", headers), ("sources", files), ("functions", lengths)):
        print(f"{name}: {len(values)}, median {percentile(values, 0.5)}, "
              f"95th percentile {percentile(values, 0.95)}, longest {max(values, default=0)} lines")
    return 1 if problems or not (headers or files) else 0


if __name__ == "__main__":
    sys.exit(main())
