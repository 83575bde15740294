// Package propose writes a first mapping file for the tables of another system: a guess by names,
// types, foreign keys and rows, with comments that say what was guessed.
package propose
