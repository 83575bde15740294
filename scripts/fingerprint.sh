#!/bin/sh
# Prints the checksum, size and name of every file of the checkout, sorted by name, without what
# builds and installations leave. It does not use git, so it works with uncommitted changes and in a
# source archive.
set -eu
cd "$(dirname "$0")/.."

find . \( -path ./.git -o -path ./data -o -path ./bin -o -name node_modules \) -prune -o -type f -print0 |
	LC_ALL=C sort -z | xargs -0 cksum
