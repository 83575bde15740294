#!/bin/sh
# Plays random histories and compares each feed with the reference query. Of home feeds, it plays ten
# thousand on SQLite and some hundred on every other backend; the same of a source, whose tables say
# what feeds are. Of home feeds with clients that read or receive changes, it plays ten thousand on
# every backend, and of live feeds six thousand. Then it plays histories of inboxes. SOAK multiplies
# the numbers: SOAK=10 plays a hundred thousand. A failure prints the seed that repeats it and, except
# for sources, a minimal list of steps.
#
# The histories with clients take about an hour and a half on two cores. A thousand of a home feed take
# 30 s on SQLite, 220 to 370 s on PostgreSQL and 40 s with Redis; of a live feed 20, 210 and 30 s. They
# have one goroutine, and SQLite is Go code here, which takes fifty times as long under the race
# detector. So none use it but those of inboxes.
set -eu
cd "$(dirname "$0")/.."

soak=${SOAK:-1}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# play PACKAGE HISTORIES TESTS [RACE] plays that many histories in each setting of a test. RACE may be
# -race. Home feeds have five settings, live feeds three, and sources four.
play() {
	package=$1
	histories=$2
	tests=$3
	race=${4-}
	echo "$package: $((histories * soak)) histories in each setting"
	# The status of a pipe is that of its last command.
	{
		scripts/gotest.sh -tags nightly ${race:+"$race"} -count=1 -timeout 24h -run "$tests" -v "$package" \
			-rapid.checks=$((histories * soak)) -rapid.nofailfile || touch "$work/failed"
	} | grep -v '^=== '
	[ ! -e "$work/failed" ]
}

echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
feeds='^TestSimulation_(Home|Live)Feeds' clients='^TestSimulation_(Home|Live)FeedChanges' sources='^TestSimulation_Source' inboxes='^TestInboxes_?Keep'
play ./feed/feedtest/fixture 2000 "$feeds"
play ./feed/redisstore 100 "$feeds"
play ./feed/sqlstore 20 "$feeds"
play ./feed/feedtest/fixture 2000 "$clients"
play ./feed/redisstore 2000 "$clients"
play ./feed/sqlstore 2000 "$clients"
play ./feed/feedtest/fixture 2500 "$sources"
play ./feed/redisstore 100 "$sources"
play ./feed/sqlstore 50 "$sources"
play ./feed/redisstore 200 "$inboxes" -race
play ./feed/sqlstore 100 "$inboxes" -race
