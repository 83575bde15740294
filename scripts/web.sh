#!/bin/sh
# Builds the web client and GraphiQL and copies them to web/dist, which the program embeds. For the
# client it compiles the queries against the schema, checks types and runs unit tests. The output
# depends on the sources only.
#
# The build runs on a copy of the sources in bin, where npm's large packages stay.
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh

# build NAME builds the copy and moves the result to web/dist/NAME.
build() {
	(cd "bin/web/$1" && npm run --silent build)
	rm -rf "web/dist/$1"
	mkdir -p web/dist
	cp -R "bin/web/dist/$1" "web/dist/$1"
}

mkdir -p bin/web
cp web/licences.mjs bin/web/

scripts/npm.sh web/graphiql bin/web/graphiql
build graphiql

scripts/npm.sh web/client bin/web/client
cp schema.graphql bin/web/client/schema.graphql
build client
# The compiled queries are committed too, for editors and readers.
rm -rf web/client/src/__generated__
cp -R bin/web/client/src/__generated__ web/client/src/__generated__
