// Package app is what a process of the program is made of: it knows all packages and puts
// them together. settings.go and the *Settings types say what may be set; app.go makes
// stores and services; [Server] in serve.go opens them, serves and stops.
package app
