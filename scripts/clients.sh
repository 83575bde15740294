#!/bin/sh
# Installs other people's GraphQL clients and audits below bin/clients, in a copy of
# tests/clients, where the tests run them; anew only when other versions are asked for.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh clients

sources=tests/clients
work=bin/clients
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name node_modules ! -name installed -exec rm -rf {} +
tar -c -C "$sources" --exclude=./node_modules . | tar -x -C "$work"

versions=$(cat "$sources/package.json" "$sources/package-lock.json" "$sources/.npmrc" | cksum)
if [ "$versions" != "$(cat "$work/installed" 2>/dev/null)" ]; then
	rm -f "$work/installed"
	(cd "$work" && npm ci --no-progress --loglevel=error)
	echo "$versions" >"$work/installed"
fi

# Relay's documents are compiled against the schema, as an application's are.
cp schema.graphql "$work"
(cd "$work/feeds/relay" && ../../node_modules/.bin/relay-compiler --noWatchman --output quiet-with-errors)
