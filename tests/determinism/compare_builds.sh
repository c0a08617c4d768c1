#!/bin/sh
# Builds the library and print_hashes with another compiler and without optimisation, runs them and
# compares every step's hash with that of the present build.
#   compare_builds.sh PRINT_HASHES [SCRATCH]
set -eu
program=$1
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=${2:-$(mktemp -d)}
steps=${PLIANT_STEPS:-150}
mkdir -p "$scratch"
"$program" "$steps" > "$scratch/expected.txt"

build() {  # name compiler flags
  if ! command -v "$2" > /dev/null; then
    echo "$1: $2 is not installed, skipped"
    return 0
  fi
  cmake -S "$root" -B "$scratch/$1" -DCMAKE_CXX_COMPILER="$2" -DCMAKE_BUILD_TYPE=None \
    -DCMAKE_CXX_FLAGS="$3" -DPLIANT_APPS=OFF -DPLIANT_TESTS=OFF -DPLIANT_F64=OFF -DPLIANT_XML=OFF \
    -DPLIANT_WERROR=OFF > "$scratch/$1.log" 2>&1 &&
    cmake --build "$scratch/$1" --target pliant -j "${PLIANT_JOBS:-2}" >> "$scratch/$1.log" 2>&1 &&
    "$2" -std=c++20 $3 -ffp-contract=off -I "$root/include" "$root/tests/determinism/print_hashes.cpp" \
      "$scratch/$1/libpliant.a" -pthread -o "$scratch/$1/print_hashes" >> "$scratch/$1.log" 2>&1 || {
    tail -20 "$scratch/$1.log"
    echo "$1: does not build"
    return 1
  }
  "$scratch/$1/print_hashes" "$steps" > "$scratch/$1.txt"
  if ! cmp -s "$scratch/expected.txt" "$scratch/$1.txt"; then
    echo "$1: differs first after step $(diff "$scratch/expected.txt" "$scratch/$1.txt" | sed -n 's/^< \([0-9]*\) .*/\1/p' | head -1)"
    return 1
  fi
  echo "$1: $steps steps, the same bits"
}

failed=0
build clang_O2 clang++ -O2 || failed=1
build gcc_debug g++ "-O0 -g" || failed=1
exit $failed
