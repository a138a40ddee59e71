#!/bin/sh
# Installs the one system package the gateway needs: Debian's redis-tools, which holds the Redis
# server program and starts no service. Does nothing where a Redis server is already to be found,
# or where REDIS_URL names one.
set -eu

found() {
  [ -n "${REDIS_URL:-}" ] || [ -n "${REDIS_URL_FILE:-}" ] && return 0
  [ -n "${REDIS_SERVER_BIN:-}" ] && return 0
  command -v redis-server >/dev/null 2>&1 && return 0
  command -v valkey-server >/dev/null 2>&1 && return 0
  [ -x /usr/bin/redis-check-rdb ]
}

found && exit 0

install="apt-get update && apt-get install -y --no-install-recommends redis-tools"
if [ "$(id -u)" = 0 ]; then
  as_root=""
elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
  as_root="sudo"
else
  echo "The gateway needs Debian's package redis-tools (the Redis server program, no service)." >&2
  echo "Run this once as root, then try again:" >&2
  echo "  $install" >&2
  exit 1
fi

command -v apt-get >/dev/null 2>&1 || {
  echo "No Redis server was found, and this is no Debian or Ubuntu machine." >&2
  echo "Install redis-server 6.2 or newer, or set REDIS_URL, then try again." >&2
  exit 1
}

echo "Installing Debian's package redis-tools (the Redis server program, no service)"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -qq
$as_root apt-get install -y -qq --no-install-recommends redis-tools
found || { echo "redis-tools was installed, but no Redis server was found in it." >&2; exit 1; }
