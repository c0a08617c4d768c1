#!/usr/bin/env bash
# All C++ sources are as clang-format leaves them. Usage: check_format.sh [ROOT]
set -euo pipefail

cd "${1:-$(dirname "${BASH_SOURCE[0]}")/..}"
folders=()
for folder in include src render bench apps tests; do [ -d "$folder" ] && folders+=("$folder"); done
mapfile -t files < <(find "${folders[@]}" \( -name '*.h' -o -name '*.cpp' -o -name '*.inl' \) | sort)
[ ${#files[@]} -gt 0 ] || { echo "no sources under $PWD" >&2; exit 1; }
clang-format --style=file --dry-run -Werror "${files[@]}"
echo "${#files[@]} files are formatted"
