#!/bin/sh
# Makes the generated code anew: all that go:generate comments ask for. The GraphQL
# server's is asked for in graph/doc.go.
set -eu
cd "$(dirname "$0")/.."

go generate ./...
