#!/usr/bin/env python3
"""Puts quoted files into README.md, between <!-- quote PATH --> and <!-- end -->.

Usage: update_readme.py [--check] [--bench FILE]. With --check nothing is written; exit 1 if it would
be. With --bench the rows of `pliant bench --json` in FILE become the table of numbers.
"""
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
QUOTE = re.compile(r"(<!-- quote (\S+) -->\n).*?(<!-- end -->)", re.DOTALL)


def quoted(match):
    text = (ROOT / match.group(2)).read_text()
    return f"{match.group(1)}```cpp\n{text}```\n{match.group(3)}"


BENCH = re.compile(r"(<!-- bench -->\n).*?(<!-- end bench -->)", re.DOTALL)
QUALITY = {  # key of a row: heading and format
    "stretch_mean_worst": "mean stretch {:.3f}",
    "stretch_max_worst": "worst {:.2f}",
    "volume_min": "least volume {:.2f}",
    "deepest": "deepest {:.3f} cells",
    "penetration_max": "overlap at most {:.4f} m",
    "penetration_mean": "mean {:.5f} m",
}


def bench_table(rows):
    lines = ["| scene | engine | threads | ms per step | times Bullet | quality |", "|---|---|---|---|---|---|"]
    for row in rows:
        quality = [text.format(row[key]) for key, text in QUALITY.items() if row.get(key) is not None]
        if "standing" in row:
            quality.append("stands" if row["standing"] else "does not stand")
        times = f"{row['times_bullet']:.2f}" if row.get("times_bullet") else ""
        lines.append(f"| `{row['scene']}` | {row['engine']} | {row['threads']} | {row['ms_mean']:.3f} "
                     f"| {times} | {', '.join(quality)} |")
    return "\n".join(lines) + "\n"


def main():
    readme = ROOT / "README.md"
    old = readme.read_text()
    new = QUOTE.sub(quoted, old)
    if "--bench" in sys.argv:
        rows = json.loads(pathlib.Path(sys.argv[sys.argv.index("--bench") + 1]).read_text())
        table = bench_table(rows)
        new = BENCH.sub(lambda match: match.group(1) + table + match.group(2), new)
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
