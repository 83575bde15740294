#!/bin/sh
# Runs benchmarks and prints goals and figures; see docs/speed.md. Run it on an idle machine.
#
#   scripts/bench.sh                 compares Tideline with its peers: fifteen rounds of pages
#                                    and five of the rest, in a quarter of an hour. Updates
#                                    docs/benchmarks/speed.json, speed.txt and docs/speed.md
#   BENCH=quick scripts/bench.sh     a smaller network, short rounds and no peers, in about a
#                                    minute
#   BENCH=regress scripts/bench.sh   the same for the commit of docs/benchmarks/speed.json and for
#                                    the working tree, three times in turns. Fails for each row
#                                    that has become worse by a fifth
#   BENCH=capacity scripts/bench.sh  import, fan-out, reads and memory of networks of ten
#                                    thousand, a hundred thousand and a million users, or of
#                                    BENCH_USERS. Updates the model and charts of
#                                    docs/scaling.md
#   BENCH=profile scripts/bench.sh   CPU time of a page per process, and flame graphs
#   BENCH=bound scripts/bench.sh     the lower bound of an uncached page: Tideline and Mercurius
#                                    next to servers that only read the necessary rows
#   BENCH=ablation scripts/bench.sh  what each fast path saves under a mixed load: the program
#                                    without it and the program as it is, in turns.
#                                    BENCH_ONLY is a pattern of the paths to measure
#   BENCH=writes scripts/bench.sh    publishes, likes, follows, first pages, imports and ingests next to their
#                                    statements alone and to peers, in about ten minutes.
#                                    BENCH_ROUNDS is the number of rounds, 9 by default;
#                                    BENCH_ONLY is a pattern of what to measure. Warns
#                                    if a ratio has risen by more than a tenth. Updates
#                                    docs/benchmarks/writes.json, writes.txt and docs/speed.md
#   BENCH=ingestlag scripts/bench.sh how long ingested posts take to the page of the last follower,
#                                    at half of the capacity
#   BENCH=textids scripts/bench.sh   CPU time of pages where ids are text, and where they are numbers
#   BENCH=upstream scripts/bench.sh  CPU time of pages whose posts, profiles and counters are at
#                                    services, next to Hive Gateway over the same services, and of
#                                    pages with slots; BENCH_ONLY=slots measures only these
#   BENCH=changes scripts/bench.sh   CPU time of homeChanges and liveChanges next to a warm page of the
#                                    same viewer. BENCH_ONLY is a pattern of what to measure. Updates
#                                    docs/benchmarks/changes.json and README.md
#   BENCH=lists scripts/bench.sh     CPU time of the first page of lists of authors next to a warm home page
#   BENCH=mirror scripts/bench.sh    a mirror's snapshot next to COPY, and its streaming next to
#                                    pg_recvlogical; BENCH_ROWS is the number of rows. Before
#                                    that, a mirror that idles on the server of its source;
#                                    BENCH_ONLY=idle measures only this
#   BENCH=compare BENCH_BASE=COMMIT scripts/bench.sh
#                                    pages and fan-outs of an earlier commit and of the working
#                                    tree, in turns
set -eu
cd "$(dirname "$0")/.."

scripts/deps.sh

# measure NAME SETTING… runs one benchmark with environment variables.
measure() {
	benchmark=$1
	shift
	env "$@" scripts/gotest.sh -count=1 -timeout 6h -run '^$' -bench "^Benchmark$benchmark\$" -benchtime 1x ./bench
}

# checkout COMMIT puts a commit's files into $base/tree until the script ends.
checkout() {
	base=$(mktemp -d)
	trap 'git worktree remove --force "$base/tree"; rm -r "$base"' EXIT
	trap 'exit 130' INT TERM
	git worktree add --detach "$base/tree" "$1"
}

case ${BENCH:=full} in
full)
	. scripts/node.sh
	scripts/npm.sh bench/peers bin/peers
	measure Speed BENCH=full
	;;
quick) measure Speed BENCH=quick ;;
capacity)
	measure Capacity
	scripts/gotest.sh -count=1 -run TestPage ./bench/capacity -update
	;;
profile) measure Profile ;;
bound)
	. scripts/node.sh
	scripts/npm.sh bench/peers bin/peers
	measure Bound
	;;
ablation) measure Ablation ;;
ingestlag) scripts/gotest.sh -count=1 -timeout 6h -run '^$' -bench '^BenchmarkIngestLag$' -benchtime 1x ./bench/cmd/ingestlag ;;
textids) measure TextIDs ;;
mirror) measure Mirror ;;
changes) measure Changes ;;
lists) measure Lists ;;
upstream)
	. scripts/node.sh
	scripts/npm.sh tests/federation bin/federation
	measure Upstream
	;;
writes)
	. scripts/node.sh
	scripts/npm.sh bench/peers bin/peers
	measure Writes
	;;
regress)
	checkout "$(sed -n 's/^ *"commit": "\([0-9a-f]*\).*/\1/p' docs/benchmarks/speed.json)"
	measure Regress BENCH_BASE="$base/tree"
	;;
compare)
	checkout "${BENCH_BASE:?names the commit to compare with}"
	go build -C "$base/tree" -trimpath -o "$base/tideline" .
	measure Compare BENCH_BASE="$base/tideline"
	;;
*)
	echo "scripts/bench.sh: BENCH is full, quick, regress, capacity, profile, bound, ablation, changes, lists, ingestlag, mirror, textids, upstream, writes or compare, not $BENCH" >&2
	exit 2
	;;
esac
