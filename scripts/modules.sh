# Source this for the folders of the other Go modules. Libraries that only benchmarks, clients and
# tests import are not in the program's go.mod, so these have their own modules.
modules="bench clients/go tests"
