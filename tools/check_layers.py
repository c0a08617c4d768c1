#!/usr/bin/env python3
"""Proves that no include between folders goes upward or round.
Nothing that is built once for both scalars depends on the scalar.

Usage: check_layers.py [ROOT]. Prints each offending include with its place; exit 1 if there is any.
The table is the one of docs/architecture.md; the rows of CMakeLists.txt must agree with it.
"""
import pathlib
import re
import sys

# src folder -> the src folders that it may use. Everything may use include/pliant, the lowest layer.
SRC = {
    "core": [],
    "math": ["core"],
    "geometry": ["core", "math"],
    "io": ["core", "math", "geometry"],
    "scene": ["core", "math", "geometry", "io"],
    "record": ["core", "math"],
    "model": ["core", "math", "geometry"],
    "build": ["core", "math", "geometry", "io", "model"],
    "broadphase": ["core", "math", "geometry", "model"],
    "narrowphase": ["core", "math", "geometry", "model"],
    "constraints": ["core", "math", "model"],
    "solver": ["core", "math", "model", "constraints", "narrowphase"],
    "world": ["core", "math", "geometry", "io", "scene", "model", "build", "broadphase", "narrowphase",
              "constraints", "solver"],
}
# The users of the library -> which of them they may use; of the library only include/pliant.
USERS = {"render": [], "bench": ["bench/kernels"], "apps": ["render", "bench"]}
# Folders that time parts of the library -> the src folders that they may look into.
INSIDE = {"bench/kernels": ["core", "math", "model", "constraints"]}

SCALAR = "src/math/wide.h"  # eight scalars of a build, floats or doubles
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
SUFFIXES = {".h", ".cpp", ".inl"}


def sources(folder):
    return sorted(p for p in folder.rglob("*") if p.suffix in SUFFIXES) if folder.is_dir() else []


def includes(path):
    """(line, quoted or angled, name) of each include of a file."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(1), match.group(2)


def resolve(root, path, name):
    """The file of the project that an include means, or None for the system's and third parties'."""
    for base in (path.parent, root / "include", root / "src", root):
        candidate = base / name
        if candidate.is_file():
            return candidate.resolve().relative_to(root.resolve())
    return None


def owner(relative):
    """The layer of a file of the project: 'include', 'src/math', 'render', ..."""
    parts = relative.parts
    folder = "/".join(parts[:2])
    return folder if parts[0] == "src" or folder in INSIDE else parts[0]


def allowed(layer):
    """The layers that a layer may use, itself included; None for an unknown layer."""
    kind, _, name = layer.partition("/")
    if layer in INSIDE:
        return {layer, "include"} | {"src/" + f for f in INSIDE[layer]}
    if layer == "include":
        return {"include"}
    if kind == "src":
        return {layer, "include"} | {"src/" + f for f in SRC[name]} if name in SRC else None
    return {layer, "include", *USERS[layer]} if layer in USERS else None


def check_file(root, path, graph):
    relative = path.relative_to(root)
    layer = owner(relative)
    may_use = allowed(layer)
    if may_use is None:
        return [f"{relative}: the folder {layer} is not in the table of tools/check_layers.py"]
    problems = []
    for line, quote, name in includes(path):
        target = resolve(root, path, name)
        if target is None:
            if layer == "include" and (quote == '"' or "/" in name or "." in name):
                problems.append(f"{relative}:{line}: a public header includes {name}, which is "
                                "neither standard nor public")
            continue
        graph.setdefault(str(relative), []).append(str(target))
        if owner(target) not in may_use:
            problems.append(f"{relative}:{line}: {layer} may not use {owner(target)} ({name})")
    return problems


def find_cycle(graph):
    """The files of one circle of includes, or an empty list."""
    done, path = set(), []

    def visit(node):
        if node in path:
            return path[path.index(node):] + [node]
        if node in done:
            return []
        path.append(node)
        for target in graph.get(node, []):
            cycle = visit(target)
            if cycle:
                return cycle
        done.add(path.pop())
        return []

    for start in sorted(graph):
        cycle = visit(start)
        if cycle:
            return cycle
    return []


def check_table():
    """The table itself goes downwards only: every row uses rows that are complete without it."""
    closed = set()
    while len(closed) < len(SRC):
        ready = [f for f in SRC if f not in closed and set(SRC[f]) <= closed]
        if not ready:
            return [f"the table is circular around {sorted(set(SRC) - closed)}"]
        closed.update(ready)
    return []


def check_cmake(root):
    """The rows in CMakeLists.txt say the same as the table."""
    cmake = root / "CMakeLists.txt"
    if not cmake.is_file():
        return []
    rows = re.findall(r"^pliant_(?:scalar_)?folder\(([^)]*)\)", cmake.read_text(), re.MULTILINE)
    found = {row.split()[0]: set(row.split()[1:]) for row in rows}
    return [f"CMakeLists.txt: the row of {f} is {sorted(found.get(f, set()))}, the table has "
            f"{sorted(SRC.get(f, []))}"
            for f in sorted(set(SRC) | set(found)) if found.get(f) != set(SRC.get(f, ["absent"]))]


def check_scalars(root, graph):
    """Folders that are built once for both scalars never see the one that a build has chosen."""
    cmake = root / "CMakeLists.txt"
    if not cmake.is_file():
        return []
    once = re.findall(r"^pliant_folder\((\w+)", cmake.read_text(), re.MULTILINE)
    problems = []
    for start in sorted(graph):
        if not any(start.startswith(f"src/{folder}/") for folder in once):
            continue
        seen, waiting = set(), [start]
        while waiting:
            name = waiting.pop()
            if name not in seen:
                seen.add(name)
                waiting += graph.get(name, [])
        if SCALAR in seen:
            problems.append(f"{start}: sees {SCALAR}, though its folder is built once for both scalars")
    return problems


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    graph, problems, count = {}, check_table() + check_cmake(root), 0
    for folder in ("include", "src", *USERS):
        for path in sources(root / folder):
            problems += check_file(root, path, graph)
            count += 1
    problems += check_scalars(root, graph)
    cycle = find_cycle(graph)
    if cycle:
        problems.append("includes go round: " + " -> ".join(cycle))
    for problem in problems:
        print(problem)
    print(f"{count} files, {len(problems)} problems")
    return 1 if problems or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main())
