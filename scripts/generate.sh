#!/bin/sh
# Makes the generated code anew: all that go:generate comments ask for, which are the
# GraphQL server and the published schema, schema.graphql, asked for in graph/doc.go; and
# from that schema the clients in Go and in TypeScript.
set -eu
cd "$(dirname "$0")/.."

go generate ./...

go build -C tools -o ../bin/ github.com/Khan/genqlient
(cd clients/go && ../../bin/genqlient)
scripts/typescript.sh
