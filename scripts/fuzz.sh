#!/bin/sh
# Fuzzes the parsers of untrusted input: cursors, handles, global ids, tokens, key sets, JSON, and
# the cost of documents. Each target runs for ten minutes, or for the time in FUZZ (FUZZ=30s). The
# fuzzer writes a failing input to testdata/fuzz of the package; go test tries it from then on.
set -eu
cd "$(dirname "$0")/.."

. scripts/goflags.sh
log=$(mktemp)
trap 'rm "$log"' EXIT

# fuzz PACKAGE TARGET runs one target. Up to Go 1.26, go test sometimes reports the end of the
# fuzzing time as a failure (go.dev/issue/75804) without an input; the script then tries again.
fuzz() {
	package=$1
	target=$2
	for try in first second third; do
		echo "$package: $target for ${FUZZ:-10m}, $try try"
		# By default the fuzzer spends up to a minute on minimizing each new input.
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
fuzz ./internal/records FuzzMembers
fuzz ./internal/wellformed FuzzJSON
fuzz ./resolvers/guard FuzzGuard
