#!/bin/sh
# Installs other people's GraphQL clients and audits below bin/clients, in a copy of
# tests/clients, where the tests run them; anew only when other versions are asked for.
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh
work=bin/clients
scripts/npm.sh tests/clients "$work"

# Relay's documents are compiled against the schema, as an application's are.
cp schema.graphql "$work"
(cd "$work/feeds/relay" && ../../node_modules/.bin/relay-compiler --noWatchman --output quiet-with-errors)

# The client in TypeScript becomes JavaScript, as an application's build makes it.
mkdir "$work/typescript"
cp -R clients/typescript/package.json clients/typescript/src "$work/typescript"
(cd "$work" && node_modules/.bin/tsc --outDir typescript/dist --target ES2022 --module ESNext \
	--moduleResolution Bundler --rewriteRelativeImportExtensions --skipLibCheck --strict typescript/src/home.ts)
