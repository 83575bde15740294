#!/bin/sh
# Lets the fuzzer look for input that breaks what reads texts of strangers: cursors,
# global ids, tokens, key sets, and the measuring of documents. Each target takes ten
# minutes, or FUZZ=30s. What is found is written to testdata/fuzz beside the target, and
# tried by every go test from then on.
set -eu
cd "$(dirname "$0")/.."

fuzz() {
	package=$1
	target=$2
	echo "$package: $target for ${FUZZ:-10m}"
	# Making input that is merely new shorter takes the fuzzer a minute each, by default.
	go test -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ:-10m}" -fuzzminimizetime 100x "$package"
}

fuzz ./feed FuzzParseCursor
fuzz ./feed/live FuzzCursor
fuzz ./graph FuzzGlobalID
fuzz ./internal/gateway FuzzVerify
fuzz ./internal/gateway FuzzKeySet
fuzz ./resolvers/guard FuzzGuard
