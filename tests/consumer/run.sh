#!/usr/bin/env bash
# Installs a build into a fresh folder, builds the consumer against it and runs it.
# Usage: run.sh BUILD_DIR C++_COMPILER SANITIZERS
set -euo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cmake --install "$1" --prefix "$work/prefix" >/dev/null
flags=()
[ -n "${3:-}" ] && flags=(-DCMAKE_CXX_FLAGS="-fsanitize=$3")
cmake -S "$here" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$2" \
  -DCMAKE_PREFIX_PATH="$work/prefix" -DHELLO="$here/../api/hello_world.cpp" "${flags[@]}"
cmake --build "$work/build"
"$work/build/hello"
