#!/bin/sh
# Installs third-party GraphQL clients and audits in bin/clients, a copy of tests/clients, where
# the tests run them. It installs again only if the versions have changed.
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh
work=bin/clients
scripts/npm.sh tests/clients "$work"

# Compile Relay's documents against the schema, as an application does.
cp schema.graphql "$work"
(cd "$work/feeds/relay" && ../../node_modules/.bin/relay-compiler --noWatchman --output quiet-with-errors)

# Compile the TypeScript client to JavaScript, as an application's build does.
mkdir "$work/typescript"
cp -R clients/typescript/package.json clients/typescript/src "$work/typescript"
(cd "$work" && node_modules/.bin/tsc --outDir typescript/dist --target ES2022 --module ESNext \
	--moduleResolution Bundler --rewriteRelativeImportExtensions --skipLibCheck --strict typescript/src/index.ts)
