#!/bin/sh
# Measures what hostile requests cost the processor, and writes the table in
# docs/benchmarks/hostile-requests.md anew. It fails when one takes more than 50 ms or 32 MiB; run
# it on a machine that does nothing else.
set -eu
cd "$(dirname "$0")/.."

HOSTILE="$PWD/docs/benchmarks/hostile-requests.md" scripts/gotest.sh -count=1 -run '^TestHostileTable$' ./resolvers
