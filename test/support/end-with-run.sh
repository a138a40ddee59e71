#!/bin/sh
# Waits until its standard input ends, which a test run holds open as long as it lives. Then it ends
# every process that works in the run's folder or was told of it, and removes the folder.
# usage: end-with-run.sh FOLDER
cat > /dev/null
for process in /proc/[0-9]*; do
  case "$(readlink "$process/cwd")" in
    "$1"/*) ;;
    *) grep -qsF "$1" "$process/environ" || continue ;;
  esac
  kill -9 "${process#/proc/}"
done
rm -rf "$1"
