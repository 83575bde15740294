#!/bin/sh
# Plays random histories with the race detector and compares each feed with the reference query:
# ten thousand in memory and some hundred on every other backend. It does the same with histories of
# a source, whose tables say what feeds are. Then it plays histories of inboxes. SOAK multiplies the
# numbers: SOAK=10 plays a hundred thousand. A failure prints the seed that repeats it and, except for
# sources, a minimal list of steps.
set -eu
cd "$(dirname "$0")/.."

soak=${SOAK:-1}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# play PACKAGE HISTORIES TESTS plays that many histories in each setting of a test. Home feeds have
# five settings, live feeds three, and sources four.
play() {
	package=$1
	histories=$2
	tests=$3
	echo "$package: $((histories * soak)) histories in each setting"
	# The status of a pipe is that of its last command.
	{
		scripts/gotest.sh -race -count=1 -timeout 12h -run "$tests" -v "$package" \
			-rapid.checks=$((histories * soak)) -rapid.nofailfile || touch "$work/failed"
	} | grep -v '^=== '
	[ ! -e "$work/failed" ]
}

echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
feeds='^TestSimulation_(Home|Live)Feed' sources='^TestSimulation_Source' inboxes='^TestInboxes_?Keep'
play ./feed/memstore 2000 "$feeds"
play ./feed/redisstore 100 "$feeds"
play ./feed/sqlstore 20 "$feeds"
play ./feed/memstore 2500 "$sources"
play ./feed/redisstore 100 "$sources"
play ./feed/sqlstore 50 "$sources"
play ./feed/memstore 1000 "$inboxes"
play ./feed/redisstore 200 "$inboxes"
play ./feed/sqlstore 100 "$inboxes"
