// Package testenv starts the real servers and the real program that tests run
// against: redis-server, PostgreSQL, and the binary of this module.
//
// Nothing here is a fake and nothing skips. When a program is not installed the
// test fails with the name of the Debian package that holds it, because a test
// that passes by not running promises something nobody checked.
//
// Every server listens on a free port of 127.0.0.1 and keeps its files in a
// temporary folder of its own, so packages tested in parallel do not meet. A
// server never outlives the test binary, not even one that panics or is killed:
//
//   - [Redis], [StartRedis], [StartRedisCluster], [StartRedisSentinels], [Program]
//     and [StartFleet] start their processes for each call, end them when the test
//     ends, and on Linux ask the kernel to kill them when the test binary dies.
//   - [Postgres] starts one server for each test binary and hands out a fresh
//     database for each call; a [PostgresTemplate] hands out copies of one that is
//     filled. Go gives a shared package no hook at the end of a test binary, so a
//     small shell stands guard over the server: it reads from a pipe that only the
//     test binary holds open, and when that pipe closes, for whatever reason, it
//     stops the server and removes its folder.
//   - [StartPostgres] starts one for the test alone, under a guard too, which the test may
//     kill, and [StartPostgresReplica] one that follows it.
//
// The files of PostgreSQL and the folders of [Dir] are in memory where there is room.
//
// Because of the guard the package needs a Unix system with /bin/sh.
package testenv
