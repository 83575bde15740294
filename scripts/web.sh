#!/bin/sh
# Builds the web client and GraphiQL anew and puts them where the program embeds them
# from. The same sources give the same bytes, so this changes nothing unless they were
# changed. For the client that takes compiling its queries against the schema, checking
# its types and running its unit tests.
#
# The build takes place below bin, in a copy of the sources: what npm installs is
# large and stays there, to be installed again only when other versions are asked
# for.
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh

# build NAME builds the copy and puts what comes out into web/dist/NAME.
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
# What the queries were compiled to is committed too, for editors and readers.
rm -rf web/client/src/__generated__
cp -R bin/web/client/src/__generated__ web/client/src/__generated__
