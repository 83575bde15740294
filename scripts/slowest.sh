#!/bin/sh
# Prints the slowest tests with their seconds: ten, or the number in SLOWEST. The time of a parallel
# test includes its wait for the processor.
#
#   scripts/slowest.sh              every package
#   scripts/slowest.sh ./feed/...   some packages, or other arguments of go test
set -eu
cd "$(dirname "$0")/.."

if [ $# = 0 ]; then
	. scripts/modules.sh
	set -- ./...
	for module in $modules; do set -- "$@" "./$module/..."; done
fi
log=$(mktemp)
trap 'rm "$log"' EXIT
status=0
scripts/gotest.sh -json -count=1 -timeout 60m "$@" >"$log" || status=$?
# Subtests, with a slash in their name, are part of their test's time.
sed -n 's/.*"Action":"[pf]a[a-z]*","Package":"\([^"]*\)","Test":"\([^"\/]*\)","Elapsed":\([0-9.]*\)}$/\3 \2 \1/p' "$log" |
	sort -rn | head -n "${SLOWEST:-10}"
exit $status
