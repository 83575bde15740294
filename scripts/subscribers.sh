#!/bin/sh
# Connects ten thousand subscribers to one process, each over its own socket. It measures their
# memory and CPU time, and how long a publish takes to reach all. Then it stops and kills the process,
# and measures how soon all are back.
#
# SUBSCRIBERS sets their number; the script needs twice as many file descriptors. FOLLOWERS sets the
# number of the author's followers, by default the same. It imports them; a million take some minutes.
set -eu
cd "$(dirname "$0")/.."

echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# The status of a pipe is that of its last command.
{
	scripts/gotest.sh -tags nightly -count=1 -timeout 60m -parallel 1 -v \
		-run '^TestSubscription_ReachesManySubscribersOfOneProcess$|^TestSubscription_ReturnsAfterRestarts$' ./tests/e2e \
		-args -subscribers="${SUBSCRIBERS:-10000}" -followers="${FOLLOWERS:-0}" || touch "$work/failed"
} | grep -v '^=== '
[ ! -e "$work/failed" ]
