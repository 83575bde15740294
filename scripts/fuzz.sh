#!/bin/sh
# Lets the fuzzer look for input that breaks what reads texts of strangers: cursors,
# global ids, tokens, key sets, heads of requests, text of requests, and the measuring of documents. Each
# target takes ten minutes, or FUZZ=30s. What is found is written to testdata/fuzz beside
# the target, and tried by every go test from then on.
set -eu
cd "$(dirname "$0")/.."

log=$(mktemp)
trap 'rm "$log"' EXIT

# fuzz runs one target. Up to Go 1.26 the end of its time is now and then taken for a failure
# (go.dev/issue/75804), which names no input; then it is run again, from the beginning.
fuzz() {
	package=$1
	target=$2
	for try in first second third; do
		echo "$package: $target for ${FUZZ:-10m}, $try try"
		# Making input that is merely new shorter takes the fuzzer a minute each, by default.
		{
			scripts/gotest.sh -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ:-10m}" -fuzzminimizetime 100x "$package" 2>&1 ||
				echo "$target has failed"
		} | tee "$log"
		grep -q "^$target has failed" "$log" || return 0
		if grep -q 'Failing input' "$log" || ! grep -q '^ *context deadline exceeded' "$log"; then
			exit 1
		fi
	done
	exit 1
}

fuzz ./feed FuzzParseCursor
fuzz ./feed/live FuzzCursor
fuzz ./feed/texts FuzzNewHandle
fuzz ./graph/model FuzzGlobalID
fuzz ./internal/gateway FuzzVerify
fuzz ./internal/gateway FuzzKeySet
fuzz ./internal/wellformed FuzzJSON
fuzz ./resolvers/guard FuzzGuard
