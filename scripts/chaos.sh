#!/bin/sh
# Kills the server forty times under load, wipes and rolls back Redis, and has Redis and
# PostgreSQL fail in other ways; see docs/benchmarks/faults.md. Then it does some of that in
# the middle of scrolls through live feeds; see docs/benchmarks/live.md. And it breaks all
# that a fleet of two APIs and two workers runs on, which writes docs/benchmarks/fleet.md.
# Last it measures how soon connections end after their tokens are revoked.
# It takes some forty minutes, and prints a figure a line. More arguments go to go test, such
# as -run Outlives. With LDBC_GRAPH, a folder with the files snapshot.ndjson and
# updates.ndjson of records, the fleet also serves that network.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
CHAOS=full scripts/gotest.sh -count=1 -timeout 2h -v -p 1 -parallel 1 -run 'NothingIsLost|Outlives|LiveScrolls|RealNetwork|FastWhile|FastAt|EndsDelivery' "$@" ./tests/chaos ./tests/fleet ./tests/e2e
