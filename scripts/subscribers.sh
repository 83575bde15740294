#!/bin/sh
# Gives one process ten thousand subscribers, each over a socket of his own, and measures
# what they take and how soon all are told of a publish. SUBSCRIBERS says how many; twice
# as many file descriptors are needed.
set -eu
cd "$(dirname "$0")/.."

echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
# The status of a pipe is that of its last command.
{
	scripts/gotest.sh -count=1 -timeout 30m -run '^TestSubscription_ReachesManySubscribersOfOneProcess$' -v ./tests/e2e \
		-args -subscribers="${SUBSCRIBERS:-10000}" || touch "$work/failed"
} | grep -v '^=== '
[ ! -e "$work/failed" ]
