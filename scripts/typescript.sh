#!/bin/sh
# Generates the typed documents of the TypeScript client and their manifest for trusted documents,
# and checks the types of the code that uses them. The output depends on the schema and the
# operations only.
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
