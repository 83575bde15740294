#!/bin/sh
# Builds GraphiQL anew and puts it where the program embeds it from. The same
# sources give the same bytes, so this changes nothing unless they were changed.
#
# The build takes place below bin, in a copy of the sources: what npm installs is
# large and stays there, to be installed again only when other versions are asked
# for.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh web

sources=web/graphiql
work=bin/web/graphiql
mkdir -p "$work"
find "$work" -mindepth 1 -maxdepth 1 ! -name node_modules -exec rm -rf {} +
tar -c -C "$sources" --exclude=./node_modules . | tar -x -C "$work"

versions=$(cat "$sources/package.json" "$sources/package-lock.json" "$sources/.npmrc" | cksum)
if [ "$versions" != "$(cat bin/web/installed 2>/dev/null)" ]; then
	rm -f bin/web/installed
	(cd "$work" && npm ci --no-progress --loglevel=error)
	echo "$versions" >bin/web/installed
fi
(cd "$work" && npm run --silent build)

rm -rf web/dist/graphiql
cp -R bin/web/dist/graphiql web/dist/graphiql
