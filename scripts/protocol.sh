#!/bin/sh
# Checks the protocol of upstream services with buf, and generates its Go code.
#
#   scripts/protocol.sh            lint, check for breaking changes, and generate
#   scripts/protocol.sh release    store the current protocol as that of the last release
set -eu
cd "$(dirname "$0")/.."

go build -C tools -o ../bin/ github.com/bufbuild/buf/cmd/buf google.golang.org/protobuf/cmd/protoc-gen-go \
	connectrpc.com/connect/cmd/protoc-gen-connect-go
cd api
if [ "${1:-check}" = release ]; then
	exec ../bin/buf build --exclude-source-info -o released.json
fi
../bin/buf lint
../bin/buf format --diff --exit-code
../bin/buf breaking --against released.json
../bin/buf generate
