#!/bin/sh
# Runs go test with its arguments. Every script that selects tests uses it: go test succeeds if
# -run, -bench or -fuzz select nothing, for example after a test was renamed, and this script
# fails. It also fails if one of several alternatives (A|B) selects nothing.
#
# The packages may be of several modules of scripts/modules.sh, such as ./... ./tests/... for the
# program's module and tests. The script runs go test once for each module.
set -eu
cd "$(dirname "$0")/.."
. scripts/modules.sh

# go test uses a stored result again if the test's own module has not changed. Tests also start the
# program, and read files of other modules. Those that do read one of these variables
# (internal/testenv/binary.go), so that a change runs them again.
files=$(scripts/fingerprint.sh)
TESTENV_CHECKOUT=$(echo "$files" | cksum)
TESTENV_PROGRAM=$(echo "$files" | grep -v -e ' \./\(bench\|docs\|scripts\|tests\)/' -e '_test\.go$' -e '\.md$' | cksum)
export TESTENV_CHECKOUT TESTENV_PROGRAM

fail() {
	echo "scripts/gotest.sh: $1" >&2
	exit 1
}

# module PACKAGE prints the folder of its module.
module() {
	for folder in $modules; do
		case $1 in
		"./$folder" | "./$folder"/*) echo "$folder" && return ;;
		esac
	done
	echo .
}

# within MODULE ARGUMENTS runs go test without the packages of other modules. It runs nothing if
# all packages are of other modules.
within() {
	here=$1 others=no own=no left=$(($# - 1)) rest=no
	shift
	while [ "$left" -gt 0 ]; do
		argument=$1 left=$((left - 1))
		shift
		[ "$argument" != -args ] || rest=yes
		case $rest$argument in
		no./*)
			if [ "$(module "$argument")" != "$here" ]; then
				others=yes
				continue
			fi
			own=yes
			[ "$here" = . ] || argument=.${argument#"./$here"}
			;;
		esac
		set -- "$@" "$argument"
	done
	[ $own = yes ] || [ "$here$others" = .no ] || return 0
	go test -C "$here" "$@"
}

# all ARGUMENTS runs go test in each module with at least one of the packages.
all() {
	result=0
	for folder in . $modules; do within "$folder" "$@" || result=$?; done
	return $result
}

# The last value of a flag counts. Arguments after -args are the test's own.
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
# '^$' means no test.
[ "$run" != '^$' ] || run=
if [ -z "$run$bench$fuzz" ]; then
	all "$@"
	exit
fi

names=$(all -list . "$@") || fail "cannot list the tests: $names"

# selects FLAG KIND PATTERN fails unless each alternative of the pattern matches a name of a kind.
# It ignores what follows a slash, because go test cannot list subtests.
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
*)
	all "$@"
	exit
	;;
esac

log=$(mktemp)
trap 'rm "$log"' EXIT
status=0
all -v "$@" >"$log" 2>&1 || status=$?
cat "$log"
grep -qE '(--- (PASS|FAIL|SKIP): |^Benchmark)[^ ]*/' "$log" || fail "$run$bench selects no subtest"
exit $status
