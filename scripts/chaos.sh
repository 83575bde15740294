#!/bin/sh
# Kills the server forty times under load, wipes and rolls back Redis, and has Redis and
# PostgreSQL fail in other ways; see docs/benchmarks/faults.md. Then it does some of that in
# the middle of scrolls through live feeds; see docs/benchmarks/live.md. It takes some
# fifteen minutes, and prints a figure a line. More arguments go to go test, such as
# -run Outlives.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
CHAOS=full go test -count=1 -timeout 2h -v -parallel 1 -run 'NothingIsLost|Outlives|LiveScrolls' "$@" .
