#!/bin/sh
# Copies an npm package to another folder, without Go files, and installs its dependencies there, so
# that the large node_modules is never among the sources. It installs again only if the versions have
# changed.
#
#   scripts/npm.sh tests/clients bin/clients
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh

sources=$1
work=$2
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name installed -exec rm -rf {} +
tar -c -C "$sources" --exclude=./node_modules --exclude='*.go' . | tar -x -C "$work"

versions=$(cat "$sources/package.json" "$sources/package-lock.json" "$sources/.npmrc" | cksum)
if [ "$versions" != "$(cat "$work/installed" 2>/dev/null)" ]; then
	rm -f "$work/installed"
	(cd "$work" && npm ci --no-progress --loglevel=error)
	echo "$versions" >"$work/installed"
fi
