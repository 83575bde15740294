#!/bin/sh
# Runs go test with its arguments, as every script does that selects tests. go test calls it
# a success when -run, -bench or -fuzz select nothing, as they do when a test is renamed;
# this script fails, also if only one of several alternatives (A|B) selects nothing.
#
# Packages may be of several modules of scripts/modules.sh: ./... ./tests/... are those of the
# program's module and of tests. go test runs once for each module.
set -eu
cd "$(dirname "$0")/.."
. scripts/modules.sh

fail() {
	echo "scripts/gotest.sh: $1" >&2
	exit 1
}

# module prints the folder of the module that has a package.
module() {
	for folder in $modules; do
		case $1 in
		"./$folder" | "./$folder"/*) echo "$folder" && return ;;
		esac
	done
	echo .
}

# within MODULE ARGUMENTS runs go test with the arguments, less the packages of other modules. It
# runs nothing if all packages are of other modules.
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

# all ARGUMENTS runs go test in each module that has some of the packages.
all() {
	result=0
	for folder in . $modules; do
		within "$folder" "$@" || result=$?
	done
	return $result
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
if [ -z "$run$bench$fuzz" ]; then
	all "$@"
	exit
fi

names=$(all -list . "$@") || fail "the tests cannot be listed: $names"

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
