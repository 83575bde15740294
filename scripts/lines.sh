#!/bin/sh
# Counts the lines of hand-written product code per package: Go code without tests, test harnesses,
# benchmarks, generated code, blank lines and comments.
#
#   scripts/lines.sh          the working tree
#   scripts/lines.sh REV      a commit
#
# A line with code and a comment counts as code.
set -eu
cd "$(dirname "$0")/.."

# What the program does not link: tests, benchmarks and generators. In earlier commits, bench was
# internal/bench, loadgen and capacity.
aside='^(feed/(feedtest|memstore)|internal/(testenv|archtest|cmd|eventually|pipenet|bench|loadgen|capacity)|bench|tests|tools|deploy|clients)/'
generated='(_generated|/generated)\.go$'

rev=${1:-}
list() {
	if [ -n "$rev" ]; then git ls-tree -r --name-only "$rev"; else git ls-files --cached --others --exclude-standard; fi |
		grep '\.go$' | grep -v '_test\.go$' | grep -Ev "$aside|$generated"
}
show() {
	if [ -n "$rev" ]; then git show "$rev:$1"; elif [ -f "$1" ]; then cat "$1"; fi
}

list | while read -r file; do
	lines=$(show "$file" | awk '
		inside { if (sub(/^.*\*\//, "")) inside = 0; else next }
		/^[[:space:]]*\/\// || /^[[:space:]]*$/ { next }
		/^[[:space:]]*\/\*/ && !/\*\// { inside = 1; next }
		{ n++ }
		END { print n + 0 }')
	printf '%s %s\n' "$(dirname "$file")" "$lines"
done | awk '
	{ of[$1] += $2; files[$1]++; all += $2 }
	END {
		for (p in of) printf "%6d lines %4d files  %s\n", of[p], files[p], p | "sort -k5"
		close("sort -k5")
		printf "%6d lines in all\n", all
	}'
