#!/bin/sh
# Prints the tests that take longest, with the seconds of each: the ten slowest, or as many as
# SLOWEST says. A test that runs beside others waits for the processor with them.
#
#   scripts/slowest.sh              of every package
#   scripts/slowest.sh ./feed/...   of some packages, or other arguments of go test
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
# A subtest has a slash in its name, and its time is part of its test's.
sed -n 's/.*"Action":"[pf]a[a-z]*","Package":"\([^"]*\)","Test":"\([^"\/]*\)","Elapsed":\([0-9.]*\)}$/\3 \2 \1/p' "$log" |
	sort -rn | head -n "${SLOWEST:-10}"
exit $status
