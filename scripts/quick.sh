#!/bin/sh
# Says within a minute whether a change in feed, graph or resolvers holds: builds everything,
# and tests what needs no server and no browser, with stores in memory and without the race
# detector. What was tested and has not changed since is not tested again. More arguments go
# to go test, such as -run.
set -eu
cd "$(dirname "$0")/.."

. scripts/modules.sh
go build ./...
# What other modules have are mostly tests, which go build does not compile.
for module in $modules; do go vet -C "$module" ./...; done
scripts/gotest.sh -run '^TestModule_KeepsItsRules$' ./internal/archtest
# The stores in databases have the same suites, which scripts/test.sh plays on real servers.
# shellcheck disable=SC2046 # one argument for each package
exec scripts/gotest.sh "$@" $(go list ./feed/... ./graph/... ./resolvers/... ./internal/records/... ./internal/cli |
	grep -v -e /sqlstore -e /redisstore)
