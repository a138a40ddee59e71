#!/bin/sh
# Builds the program into dist. `build.sh if-changed` does so only where a source, a setting of the build or a package
# has changed since: by the time of its last change on this disk, which a pull, a checkout and a copy all renew. What
# is built and old is never run without a word.
set -eu
cd "$(dirname "$0")/.."
built=dist/.built

# The types of the API are written by the build itself, and by others.
changed() {
  find src queues config package.json package-lock.json tsconfig.json node_modules/.package-lock.json \
    -path src/console/api/schema.ts -prune -o ! -path src/console/api -cnewer "$built" -print 2>/dev/null | head -n 1
}

if [ "${1:-}" = if-changed ] && [ -f "$built" ]; then
  [ -n "$(changed)" ] || exit 0
  echo "The sources have changed: building the program first. In a hurry, node dist/command-line/gateway.js is the former one" >&2
fi

mkdir -p dist
rm -f "$built"
# What changes while it builds is newer than this.
touch "$built.began"
npm run --silent compile
mv "$built.began" "$built"
