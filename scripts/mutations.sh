#!/bin/sh
# Removes one rule at a time from a copy of the sources, and says which test notices.
#
#   scripts/mutations.sh                 every mutation
#   scripts/mutations.sh order sync/tok  those with "order" or "sync/tok" in their path
#
# A mutation is a patch in tests/mutations. The lines before its diff say which rule it removes, and
# name the package and the test that must fail:
#
#   Test: ./feed TestKey_OrdersByTimeThenID
#
# The script prints one line for each mutation. A mutation is killed only if an assertion of that test
# fails: not by a panic, nor by the time limit. The script fails unless all mutations are killed.
set -eu
cd "$(dirname "$0")/.."
. scripts/goflags.sh

copy=$(mktemp -d)
log=$copy.log
trap 'rm -rf "$copy" "$log"' EXIT
trap 'exit 130' INT TERM
# git apply skips files if it takes the copy for a part of another repository.
GIT_CEILING_DIRECTORIES=$(dirname "$copy")
export GIT_CEILING_DIRECTORIES

git ls-files --cached --others --exclude-standard |
	while read -r file; do [ ! -e "$file" ] || echo "$file"; done |
	tar -cf - -T - | tar -xf - -C "$copy"
cd "$copy"

# chosen PATCH PATTERN... reports whether a pattern is part of the path, or there is none.
chosen() {
	path=$1
	shift
	[ $# -gt 0 ] || return 0
	for pattern; do
		case $path in
		*"$pattern"*) return 0 ;;
		esac
	done
	return 1
}

# outcome PATCH PACKAGE TEST runs the test against the patch, and prints what happens.
outcome() {
	git apply "$1" 2>"$log" || {
		echo "DOES NOT APPLY: $(head -n 1 "$log")"
		return
	}
	run=$(echo "^$3\$" | sed 's|/|$/^|g')
	if scripts/gotest.sh -vet=off -timeout 2m -run "$run" "$2" >"$log" 2>&1; then
		echo "SURVIVED $3"
	elif grep -qE '\[(build|setup) failed\]' "$log"; then
		echo "DOES NOT COMPILE: $(grep -m 1 -E '^[^#].*\.go:[0-9]+' "$log" || true)"
	elif grep -qE 'selects (nothing|no subtest)' "$log"; then
		echo "HAS NO TEST $3"
	elif grep -q '^panic: test timed out' "$log"; then
		echo "TIMES OUT $3"
	elif grep -q '^panic: ' "$log"; then
		echo "PANICS: $(grep -m 1 '^panic: ' "$log")"
	elif grep -qF -e "--- FAIL: $3 (" "$log"; then
		echo "killed by $2 $3"
	else
		echo "FAILS WITHOUT $3: $(tail -n 1 "$log")"
	fi
	git apply -R "$1"
}

all=0 killed=0
# shellcheck disable=SC2044 # no path has spaces
for patch in $(find tests/mutations -name '*.patch' | sort); do
	chosen "$patch" "$@" || continue
	test=$(sed -n '/^--- /q; s/^Test: //p' "$patch")
	result=$(outcome "$patch" "${test%% *}" "${test#* }")
	mutation=${patch#tests/mutations/}
	echo "${mutation%.patch}: $result"
	all=$((all + 1))
	case $result in
	killed*) killed=$((killed + 1)) ;;
	esac
done

echo "killed $killed of $all mutations"
[ "$all" -gt 0 ] && [ "$killed" = "$all" ]
