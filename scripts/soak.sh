#!/bin/sh
# Plays ten thousand random histories against the reference query in memory, and some
# hundred on every other backend, all under the race detector. SOAK multiplies how many:
# SOAK=10 plays a hundred thousand. A failure prints the steps, made as few as possible,
# and the seed that plays them again.
set -eu
cd "$(dirname "$0")/.."

soak=${SOAK:-1}
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT

# Each test plays as many histories in every one of its settings: five of home feeds, and
# three of live feeds.
play() {
	package=$1
	histories=$2
	echo "$package: $((histories * soak)) histories in each setting"
	# The status of a pipe is that of its last command.
	{
		scripts/gotest.sh -race -count=1 -timeout 12h -run '^Test(Home|Live)Feeds' -v "$package" \
			-rapid.checks=$((histories * soak)) -rapid.nofailfile || touch "$work/failed"
	} | grep -v '^=== '
	[ ! -e "$work/failed" ]
}

echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
play ./feed/memstore 2000
play ./feed/redisstore 100
play ./feed/sqlstore 20
