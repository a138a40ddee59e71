#!/bin/sh
# Installs what the gateway needs beside Node.js: Debian's redis-tools, which holds the Redis server
# program and starts no service. Does nothing where a Redis server is already to be found, or where
# REDIS_URL names one.
#
# With the word `chromium`: installs Debian's Chromium for the tests of the console.
# With the word `cc`: installs Debian's C compiler for the tests that run on another date.
# With the word `prometheus`: unpacks Debian's Prometheus, promtool and amtool for the tests, below
# node_modules. They are not installed: the packages would start services.
set -eu

# Sets `as_root` to what runs a command as root; fails where nothing does.
become_root() {
  if [ "$(id -u)" = 0 ]; then
    as_root=""
  elif command -v sudo >/dev/null 2>&1 && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root="sudo"
  else
    return 1
  fi
}

prometheus_folder="$(dirname "$0")/../node_modules/.cache/prometheus"

found_prometheus() {
  for program in prometheus promtool amtool; do
    command -v "$program" >/dev/null 2>&1 || [ -x "$prometheus_folder/usr/bin/$program" ] || return 1
  done
}

if [ "${1:-}" = prometheus ]; then
  found_prometheus && exit 0
  command -v apt-get >/dev/null 2>&1 || {
    echo "The tests need prometheus, promtool and amtool on the PATH; this is no Debian or Ubuntu machine." >&2
    exit 1
  }
  echo "Unpacking Debian's packages prometheus and prometheus-alertmanager for the tests (nothing is installed)"
  mkdir -p "$prometheus_folder"
  cd "$prometheus_folder"
  # The lists of packages may be old or missing; only root can fetch them.
  apt-get download -qq prometheus prometheus-alertmanager >/dev/null 2>&1 || {
    become_root && $as_root apt-get update -qq &&
      apt-get download -qq prometheus prometheus-alertmanager
  }
  for package in prometheus*.deb; do dpkg-deb -x "$package" .; done
  rm -f prometheus*.deb
  exit 0
fi

if [ "${1:-}" = chromium ]; then
  [ -n "${CHROMIUM_BIN:-}" ] && exit 0
  [ -x /usr/bin/chromium-headless-shell ] && exit 0
  command -v apt-get >/dev/null 2>&1 && become_root || {
    echo "The tests need Debian's package chromium-headless-shell; CHROMIUM_BIN may name another one." >&2
    exit 1
  }
  echo "Installing Debian's package chromium-headless-shell for the tests"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq --no-install-recommends chromium-headless-shell >/dev/null
  exit 0
fi

if [ "${1:-}" = cc ]; then
  command -v cc >/dev/null 2>&1 && exit 0
  command -v apt-get >/dev/null 2>&1 && become_root || {
    echo "A run on another date needs a C compiler, cc: Debian's packages gcc and libc6-dev." >&2
    exit 1
  }
  echo "Installing Debian's packages gcc and libc6-dev for the tests"
  export DEBIAN_FRONTEND=noninteractive
  $as_root apt-get update -qq
  $as_root apt-get install -y -qq --no-install-recommends gcc libc6-dev >/dev/null
  exit 0
fi

found() {
  [ -n "${REDIS_URL:-}" ] || [ -n "${REDIS_URL_FILE:-}" ] && return 0
  [ -n "${REDIS_SERVER_BIN:-}" ] && return 0
  command -v redis-server >/dev/null 2>&1 && return 0
  command -v valkey-server >/dev/null 2>&1 && return 0
  [ -x /usr/bin/redis-check-rdb ]
}

found && exit 0

install="apt-get update && apt-get install -y --no-install-recommends redis-tools"
become_root || {
  echo "The gateway needs Debian's package redis-tools (the Redis server program, no service)." >&2
  echo "Run this once as root, then try again:" >&2
  echo "  $install" >&2
  exit 1
}

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
