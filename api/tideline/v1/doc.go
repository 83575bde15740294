// Package tidelinev1 has the messages of services that own contents, profiles or counters. They are
// generated from the .proto files (scripts/protocol.sh).
package tidelinev1
