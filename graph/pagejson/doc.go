// Package pagejson writes pages of GraphQL responses straight from the domain's structs, byte for
// byte as gqlgen's executor would, at a tenth of its cost: without a context, closures and a
// goroutine for each field.
//
// The first time a document selects a page, its selection is compiled to a plan ([Plans]). An
// [Encoder] walks the page by the plan. The code that writes each type is generated from the schema
// by internal/cmd/schemagen.
//
// See ADR 28 for the reasons.
package pagejson
