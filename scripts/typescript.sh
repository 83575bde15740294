#!/bin/sh
# Makes the typed documents of the client in TypeScript anew, with the manifest by which a
# server trusts them, and checks the types of what uses them. The same schema and
# operations give the same bytes.
set -eu
cd "$(dirname "$0")/.."

sources=clients/typescript
work=bin/typescript
. scripts/node.sh
scripts/npm.sh "$sources" "$work"
rm -rf "$work/src/generated"
(cd "$work" && npm run --silent generate && npm run --silent build && npm test --silent)

rm -rf "$sources/src/generated"
cp -R "$work/src/generated" "$sources/src/generated"
