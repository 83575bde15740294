#!/bin/sh
# Runs go test with its arguments, as every script does that selects tests. go test calls it
# a success when -run, -bench or -fuzz select nothing, as they do when a test is renamed;
# this script fails, also if only one of several alternatives (A|B) selects nothing.
set -eu
cd "$(dirname "$0")/.."

fail() {
	echo "scripts/gotest.sh: $1" >&2
	exit 1
}

# Of a flag that is given twice the last one counts. What follows -args is not go test's.
run= bench= fuzz= previous=
for argument; do
	case $previous in
	-run | --run) run=$argument ;;
	-bench | --bench) bench=$argument ;;
	-fuzz | --fuzz) fuzz=$argument ;;
	esac
	case $argument in
	-run=* | --run=*) run=${argument#*=} ;;
	-bench=* | --bench=*) bench=${argument#*=} ;;
	-fuzz=* | --fuzz=*) fuzz=${argument#*=} ;;
	-args | --args) break ;;
	esac
	previous=$argument
done
# This is how one says that no test is wanted.
[ "$run" != '^$' ] || run=
[ -n "$run$bench$fuzz" ] || exec go test "$@"

names=$(go test -list . "$@") || fail "the tests cannot be listed: $names"

# selects FLAG KIND PATTERN fails unless the pattern selects something of a kind. What
# stands behind a slash selects subtests, which nobody can list.
selects() {
	top=${3%%/*}
	[ -n "$top" ] || return 0
	case $top in
	*'('*) ;; # its bars may separate parts of a name
	*) top=$(echo "$top" | tr '|' '\n') ;;
	esac
	echo "$top" | while read -r alternative; do
		echo "$names" | grep -E "^($2)" | grep -qE -e "$alternative" || fail "$1 $alternative selects nothing"
	done
}

selects -run 'Test|Example|Fuzz' "$run"
selects -bench Benchmark "$bench"
selects -fuzz Fuzz "$fuzz"

case $run$bench in
*/*) ;;
*) exec go test "$@" ;;
esac

log=$(mktemp)
trap 'rm "$log"' EXIT
status=0
go test -v "$@" >"$log" 2>&1 || status=$?
cat "$log"
grep -qE '(--- (PASS|FAIL|SKIP): |^Benchmark)[^ ]*/' "$log" || fail "$run$bench selects no subtest"
exit $status
