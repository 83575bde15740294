package app

import "runtime/debug"

// Version returns the version of the module: a release, or (devel).
func Version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
