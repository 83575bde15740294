// Package apply decides what a batch of change records changes.
//
// It holds the rules that all stores share. A store checks a batch, loads the [Objects] that it
// names, folds its records over them and writes the [Changes], all in one transaction. Nothing here
// reads a store or a clock.
//
// Records are applied in order. Each sees what the records before it have changed. A record of a
// type that Tideline owns only adds its object: what is stored stays ([feed.Batch.Update]). A
// record of a type that a source owns ([feed.Batch.Owned]) is the whole state of its object, and
// may name objects that have not arrived.
package apply
