# Source this, in the project's folder, before scripts run the go command on many packages. The
# flags keep the build cache small, and do not change what is compiled:
#
#   -trimpath      checkouts in different folders share results
#   -dwarf=false   results are a third smaller without data for debuggers, and compile faster
#   -ldflags=-w    programs are linked in three quarters of the time without data for debuggers
export GOFLAGS="$(go env GOFLAGS) -trimpath -gcflags=github.com/tideline-feeds/...=-dwarf=false -ldflags=-w"
