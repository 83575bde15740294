// Package testenv starts the real servers and the real program that tests use: redis-server,
// PostgreSQL, and the binary of this module.
//
// It has no fakes and skips nothing. If a program is not installed, the test fails with the name of
// its Debian package.
//
// Every server listens on a free port of 127.0.0.1 and stores its files in its own temporary
// folder, so packages can be tested in parallel. No server outlives the test binary, even after a
// panic or a kill:
//
//   - [Redis], [StartRedis], [StartRedisCluster], [StartRedisSentinels], [Program]
//     and [StartFleet] start processes for each call and end them with the test. On
//     Linux the kernel kills them if the test binary dies.
//   - [Postgres] starts one server per test binary and returns a new database for
//     each call; a [PostgresTemplate] returns copies of a filled one. Go has no hook
//     at the end of a test binary, so a small shell guards the server: it reads from
//     a pipe that only the test binary holds open. When the pipe closes, the shell
//     stops the server and removes its folder.
//   - [StartPostgres] starts a server for one test, also under a guard, which the
//     test may kill, and [StartPostgresReplica] a replica of it.
//
// The files of PostgreSQL and the folders of [Dir] are in memory if there is room.
//
// The guard needs a Unix system with /bin/sh.
package testenv
