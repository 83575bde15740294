// Package model has the hand-written Go types of the GraphQL schema: connections, scalars and
// global ids. Posts, users and live sessions have no type here: the schema is bound to the
// domain's structs (gqlgen.yml).
//
// A scalar has up to three functions. MarshalX and UnmarshalX are for gqlgen. AppendX appends the
// same JSON to a slice, for package pagejson, whose generated code calls it.
package model
