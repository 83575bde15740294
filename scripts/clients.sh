#!/bin/sh
# Installs other people's GraphQL clients and audits below bin/clients, in a copy of
# tests/clients, where the tests run them; anew only when other versions are asked for.
set -eu
cd "$(dirname "$0")/.."

. scripts/node.sh
scripts/npm.sh tests/clients bin/clients
