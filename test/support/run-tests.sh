#!/bin/sh
# `npm test`: all tests but the long ones, or those of each `--project` that is named, after it got the
# programs that these need. Unit tests need none.
case " $*" in
  *" --project"*) ;;
  *) set -- --project unit --project integration --project browser "$@" ;;
esac
for word in "$@"; do
  case "${word#--project=}" in
    integration) programs="redis ${programs:-}" ;;
    browser) programs="redis chromium" ;;
    long) programs="redis prometheus cc" ;;
  esac
done
sh "$(dirname "$0")/../../config/system-packages.sh" ${programs:-} || exit 1
exec vitest run --config test/vitest.config.ts "$@"
