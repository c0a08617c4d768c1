#!/usr/bin/env bash
# Installs the Debian packages that are missing. Usage: tools/setup.sh run|bench|test
# A machine that has them all is not touched, and needs neither root nor the network.
set -euo pipefail

what=${1:-run}
packages=(cmake ninja-build g++ libfmt-dev nlohmann-json3-dev libcli11-dev libembree-dev libstb-dev libpugixml-dev ffmpeg)
case $what in
  run) ;;
  bench) packages+=(libbullet-dev libode-dev) ;;
  test) packages+=(libbullet-dev libode-dev libgtest-dev libeigen3-dev libqhull-dev python3 clang clang-format clang-tidy) ;;
  *) echo "usage: tools/setup.sh run|bench|test" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
  echo "This is not a Debian machine; needed are the equivalents of: ${packages[*]}" >&2
  exit 0
fi

installed=$(dpkg-query -W -f='${db:Status-Status} ${Package}\n' "${packages[@]}" 2>/dev/null || true)
missing=()
for package in "${packages[@]}"; do
  grep -qx "installed $package" <<<"$installed" || missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

as_root=()
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "These packages are missing: ${missing[*]}" >&2
    echo "Run this once as root (or install sudo): apt-get install ${missing[*]}" >&2
    exit 1
  fi
  as_root=(sudo)
fi
echo "Installing: ${missing[*]}"
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -y)
"${apt[@]}" update
"${apt[@]}" install --no-install-recommends "${missing[@]}"
