// Package app assembles the server process from all other packages. The *Settings types are its
// configuration, newServices creates the services, and [Server] opens, runs and stops everything.
package app
