#!/bin/sh
# Measures the CPU time and memory of hostile requests, and updates the table in
# docs/benchmarks/hostile-requests.md. It fails if a request takes more than 50 ms or 32 MiB, or if an
# idle operation keeps more than 64 kB. Run it on an idle machine.
set -eu
cd "$(dirname "$0")/.."

HOSTILE="$PWD/docs/benchmarks/hostile-requests.md" scripts/gotest.sh -count=1 -run '^TestHostileTable$' ./resolvers
