#!/usr/bin/env bash
# All C++ sources are as clang-format leaves them. Usage: check_format.sh [--fix] [ROOT]
set -euo pipefail

fix=false
if [ "${1:-}" = --fix ]; then
  fix=true
  shift
fi
cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
folders=()
for folder in include src render bench apps tests; do [ -d "$folder" ] && folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' -o -name '*.inl' \) | sort)
[ ${#files[@]} -gt 0 ] || { echo "no sources under $PWD" >&2; exit 1; }
if $fix; then
  clang-format --style=file -i "${files[@]}"
  exit
fi
wrong=$(clang-format --style=file --dry-run "${files[@]}" 2>&1 | grep -o '^[^: ]*:[0-9]*:[0-9]*: warning' |
  cut -d: -f1,2 | sort -t: -u -k1,1 || true)
if [ -n "$wrong" ]; then
  echo "$wrong"
  echo "Not as clang-format leaves them, from the line given on. To mend: tools/check_format.sh --fix"
  exit 1
fi
echo "${#files[@]} files are formatted"
