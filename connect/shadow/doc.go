// Package shadow compares the home feeds of another system with Tideline's, and explains each
// difference. A file says how the other system's endpoint is asked (file.go), and a client asks it
// (client.go). Compare finds differences (compare.go), Shadow keeps those that stay and explains
// them (shadow.go, reasons.go), and Summary counts them (summary.go).
package shadow
