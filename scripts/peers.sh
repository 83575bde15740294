#!/bin/sh
# Installs what Tideline is compared with below bin/peers, in a copy of tests/peers, where
# the benchmarks run it; anew only when other versions are asked for.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh node

sources=tests/peers
work=bin/peers
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name installed -exec rm -rf {} +
tar -c -C "$sources" --exclude=./node_modules . | tar -x -C "$work"

versions=$(cat "$sources/package.json" "$sources/package-lock.json" "$sources/.npmrc" | cksum)
if [ "$versions" != "$(cat "$work/installed" 2>/dev/null)" ]; then
	rm -f "$work/installed"
	(cd "$work" && npm ci --no-progress --loglevel=error)
	echo "$versions" >"$work/installed"
fi
