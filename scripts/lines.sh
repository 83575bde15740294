#!/bin/sh
# Counts the lines of hand-written Go by room and by kind: product, tests, their helpers, and
# benchmarks. Each cell has the lines of code, without blanks and comments, and all lines.
# Generated files do not count.
#
#   scripts/lines.sh               the working tree
#   scripts/lines.sh REV           a commit
#   scripts/lines.sh --packages    the packages of the program, one per line
#
# A line with code and a comment is a line of code.
set -eu
cd "$(dirname "$0")/.."

by=rooms
[ "${1:-}" != --packages ] || { by=packages && shift; }
rev=${1:-}

# The counting reads files below one folder, so a commit is unpacked first.
if [ -n "$rev" ]; then
	work=$(mktemp -d)
	trap 'rm -rf "$work"' EXIT
	git archive "$rev" | tar -x -C "$work"
	cd "$work"
	list='find . -name "*.go" -type f -print'
else
	list='git ls-files --cached --others --exclude-standard "*.go"'
fi

# A deleted file may still be in git's index.
eval "$list" | sed 's,^\./,,' | while read -r file; do [ ! -f "$file" ] || echo "$file"; done |
	xargs awk -v by="$by" '
	# The room of a folder: the longest of these names that begins it, otherwise "others".
	BEGIN {
		split("feed feed/records feed/sqlstore feed/redisstore feed/lrucache graph resolvers internal/edge internal/kit " \
			"tasks internal/app internal/cli connect internal/upstream internal/telemetry web clients tests bench " \
			"internal/testenv internal/archtest", names, " ")
		for (i in names) rooms[names[i]]
	}
	function room(folder) {
		while (!(folder in rooms)) if (!sub(/\/[^\/]*$/, "", folder)) return "others"
		return folder
	}
	function kind(file) {
		if (file ~ /^(bench|internal\/(bench|loadgen|capacity))\// || file ~ /_bench_test\.go$/) return "benchmarks"
		if (file ~ /^(feed\/feedtest|internal\/(testenv|kit\/(eventually|pipenet))|tests\/harness)\//) return "helpers"
		if (file ~ /_test\.go$/ || file ~ /^(tests|internal\/archtest)\//) return "tests"
		if (file ~ /^(internal\/cmd|tools|deploy|clients)\//) return "tools"
		return "product"
	}
	FNR == 1 {
		folder = FILENAME
		if (!sub(/\/[^\/]*$/, "", folder)) folder = "."
		comment = generated = 0
		k = kind(FILENAME)
		r = by == "rooms" ? room(folder) : folder
	}
	/^\/\/ Code generated .* DO NOT EDIT\.?$/ { generated = 1 }
	generated { next }
	{ all[r, k]++; all["", k]++; seen[r] }
	comment { if (!sub(/^.*\*\//, "")) next; comment = 0 }
	/^[[:space:]]*\/\// || /^[[:space:]]*$/ { next }
	/^[[:space:]]*\/\*/ && !/\*\// { comment = 1; next }
	{ code[r, k]++; code["", k]++ }
	function cell(r, k) { return code[r, k] ? sprintf("%7d %7d", code[r, k], all[r, k]) : sprintf("%7s %7s", "", "") }
	END {
		if (by == "packages") {
			for (p in seen) if (code[p, "product"]) print p, code[p, "product"] | "sort"
			exit
		}
		columns = split("product tests helpers benchmarks tools", kinds, " ")
		printf "%-20s", "code, all lines"
		for (i = 1; i <= columns; i++) printf "%16s", kinds[i]
		print ""
		fflush()
		for (r in seen) {
			line = sprintf("%-20s", r)
			for (i = 1; i <= columns; i++) line = line " " cell(r, kinds[i])
			print line | "sort"
		}
		close("sort")
		line = sprintf("%-20s", "in all")
		for (i = 1; i <= columns; i++) line = line " " cell("", kinds[i])
		print line
	}'
