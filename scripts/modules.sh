# The folders of the Go modules beside the program's own; to be sourced. What only benchmarks,
# clients and tests import is not in the program's go.mod, so they have modules of their own,
# which replace the program's module by its folder.
modules="bench clients/go tests"
