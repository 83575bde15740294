#!/bin/sh
# Generates code: what go:generate comments name, such as the GraphQL server and the published
# schema (graph/doc.go); then, from that schema, the clients in Go and TypeScript.
set -eu
cd "$(dirname "$0")/.."

go generate ./...
scripts/protocol.sh

go build -C tools -o ../bin/ github.com/Khan/genqlient
(cd clients/go && ../../bin/genqlient)
scripts/typescript.sh
