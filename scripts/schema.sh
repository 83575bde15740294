#!/bin/sh
# Checks that the published schema keeps the rules of tools/schema/eslint.config.mjs and breaks no
# client of the last release. Then it tests the checks themselves.
#
#   scripts/schema.sh            check
#   scripts/schema.sh release    store the current schema as that of the last release
set -eu
cd "$(dirname "$0")/.."

released=tools/schema/released.graphql
if [ "${1:-check}" = release ]; then
	cp schema.graphql "$released"
	exit
fi

. scripts/node.sh
scripts/npm.sh tools/schema bin/schema
cp schema.graphql bin/schema/
cd bin/schema

echo "  rules"
node_modules/.bin/eslint --max-warnings 0 schema.graphql
echo "  changes since the last release"
node compare.mjs released.graphql schema.graphql
echo "  tests of the checks"
node --test --test-reporter=dot
