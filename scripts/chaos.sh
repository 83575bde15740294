#!/bin/sh
# Breaks the system under load, in about forty minutes, and prints one figure per line:
#
#   - kills the server forty times, wipes and rolls back Redis, and lets Redis and PostgreSQL
#     fail in other ways (docs/benchmarks/faults.md)
#   - breaks each part of a fleet of two APIs and two workers (writes docs/benchmarks/fleet.md)
#   - measures how soon connections end after their tokens are revoked
#   - mirrors a transaction of a million rows, and kills servers of the source of a mirror
#   - cuts a thousand connections of subscribers while posts are published, edited and deleted
#
# Further arguments, such as -run Outlives, go to go test.
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh
echo "commit $(git rev-parse --short HEAD 2>/dev/null || echo unknown), $(go version), $(nproc) cores"
CHAOS=full scripts/gotest.sh -tags nightly -count=1 -timeout 2h -v -p 1 -parallel 1 -run 'NothingIsLost|Outlives|EndsDelivery|WhenCut|LongTransactions' "$@" ./tests/chaos ./tests/fleet ./tests/mirror ./tests/e2e
