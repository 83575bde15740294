#!/bin/sh
# Fuzzes the parsers of untrusted input: cursors, handles, global ids, tokens, key sets, JSON, and
# the cost of documents. Each target runs for ten minutes, or for the time in FUZZ (FUZZ=30s). The
# fuzzer writes a failing input to testdata/fuzz of the package; go test tries it from then on.
#
#   scripts/fuzz.sh                          every target, one on each processor at a time
#   scripts/fuzz.sh ./feed FuzzParseCursor   one target
set -eu
cd "$(dirname "$0")/.."

. scripts/goflags.sh

if [ $# = 0 ]; then
	# The fuzzer of a target has one worker, so that targets do not wait for each other's processors.
	# After a failure no other target starts.
	xargs -n 2 -P "$(getconf _NPROCESSORS_ONLN)" sh -c 'scripts/fuzz.sh "$@" || exit 255' sh <<-end
		./feed FuzzParseCursor
		./feed/live FuzzCursor
		./feed/texts FuzzNewHandle
		./graph/model FuzzGlobalID
		./internal/edge/gateway FuzzVerify
		./internal/edge/gateway FuzzKeySet
		./feed/records FuzzMembers
		./internal/kit/wellformed FuzzJSON
		./internal/edge/guard FuzzGuard
	end
	exit
fi
package=$1
target=$2

log=$(mktemp)
trap 'rm "$log"' EXIT

# Up to Go 1.26, go test sometimes reports the end of the fuzzing time as a failure
# (go.dev/issue/75804) without an input; the script then tries again.
for try in first second third; do
	echo "$package: $target for ${FUZZ:-10m}, $try try"
	# By default the fuzzer spends up to a minute on minimizing each new input.
	status=0
	scripts/gotest.sh -run '^$' -fuzz "^$target\$" -fuzztime "${FUZZ:-10m}" -fuzzminimizetime 100x -parallel 1 -vet=off "$package" >"$log" 2>&1 || status=$?
	cat "$log"
	[ $status != 0 ] || exit 0
	if grep -q 'Failing input' "$log" || ! grep -q '^ *context deadline exceeded' "$log"; then
		break
	fi
done
echo "$package: $target has failed"
exit 1
