#!/bin/sh
# Makes sure that the necessary programs are installed.
#
#   scripts/deps.sh          for the tests: Go, a C compiler for the race detector,
#                            redis-server, nats-server, PostgreSQL, PgBouncer, nginx, HAProxy,
#                            Chromium, Node.js and npm for third-party clients, and Python
#   scripts/deps.sh node     for web files, clients and checks of the schema: Node.js and
#                            npm; scripts/node.sh checks their versions
#
# The script installs missing packages by apt-get, as root or by sudo without a password. If
# it cannot, it names the packages and exits with 1.
set -eu

purpose=${1:-tests}
missing_packages=
missing_names=

# need NAME PACKAGES TEST… adds the packages to the missing ones if the test fails.
need() {
	name=$1
	packages=$2
	shift 2
	if ! "$@" >/dev/null 2>&1; then
		missing_names="$missing_names, $name"
		missing_packages="$missing_packages $packages"
	fi
}

has() {
	command -v "$1"
}

# The C library's headers are a separate package, so compile something.
has_c_compiler() {
	echo '#include <stdlib.h>' | "$(go env CC)" -x c -c -o /dev/null -
}

# On Debian the server's programs are not in PATH.
has_postgres() {
	has initdb || ls /usr/lib/postgresql/*/bin/initdb
}

# On Debian these are not in the PATH of users.
has_pgbouncer() {
	has pgbouncer || ls /usr/sbin/pgbouncer
}

has_nginx() {
	has nginx || ls /usr/sbin/nginx
}

has_haproxy() {
	has haproxy || ls /usr/sbin/haproxy
}

has_chromium() {
	has chromium-headless-shell || has chromium || has chromium-browser || has google-chrome
}

need_node() {
	need "Node.js" "nodejs" has node
	need "npm" "npm" has npm
}

find_missing() {
	missing_packages=
	missing_names=
	case $purpose in
	tests)
		need "a C compiler (the race detector needs one)" "gcc libc6-dev" has_c_compiler
		need "redis-server" "redis-server" has redis-server
		need "nats-server" "nats-server" has nats-server
		need "PostgreSQL" "postgresql" has_postgres
		need "PgBouncer" "pgbouncer" has_pgbouncer
		need "nginx" "nginx-light" has_nginx
		need "HAProxy" "haproxy" has_haproxy
		need "Chromium" "chromium-headless-shell" has_chromium
		need_node
		need "Python" "python3" has python3
		;;
	node)
		need_node
		;;
	*)
		echo "scripts/deps.sh: unknown purpose $purpose" >&2
		exit 2
		;;
	esac
	missing_names=${missing_names#, }
	missing_packages=${missing_packages# }
}

# as_root runs a command as root. It fails if sudo needs a password.
as_root() {
	if [ "$(id -u)" -eq 0 ]; then
		"$@"
	else
		sudo -n "$@"
	fi
}

may_install() {
	has apt-get >/dev/null && as_root true 2>/dev/null
}

give_up() {
	echo "$1" >&2
	echo "Install what is missing and run this again; on Debian:" >&2
	echo "  apt-get install --no-install-recommends $missing_packages" >&2
	exit 1
}

if ! has go >/dev/null; then
	echo "Go is not installed. Install the version that go.mod names from https://go.dev/dl/ and run this again." >&2
	exit 1
fi

find_missing
[ -n "$missing_names" ] || exit 0

may_install || give_up "Missing: $missing_names."
echo "Missing: $missing_names. Installing: $missing_packages"
as_root apt-get update -q || give_up "apt-get update failed."
# Headless Chromium takes about half of the time, but not every distribution packages it.
apt-cache show chromium-headless-shell >/dev/null 2>&1 ||
	missing_packages=$(echo "$missing_packages" | sed 's/chromium-headless-shell/chromium/')
# shellcheck disable=SC2086 # a list of packages, one word each
as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing_packages ||
	give_up "apt-get install failed."

find_missing
[ -z "$missing_names" ] || give_up "Still missing after the installation: $missing_names."
