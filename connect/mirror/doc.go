// Package mirror makes change records of the rows of another system's PostgreSQL tables.
package mirror
