#!/bin/sh
# `npm run check`: the code is examined while its tests run, which mostly wait. What that says is shown
# once it is over. The tests have the last word, unless the code is found wrong.
said=$(mktemp)
(
  npm run --silent examine > "$said" 2>&1
  code=$?
  cat "$said"
  exit "$code"
) &
examining=$!
trap 'kill "$examining"' INT TERM
npm test
tested=$?
wait "$examining"
examined=$?
[ "$examined" -eq 0 ] || { cat "$said" && echo "FAILED npm run examine"; }
rm "$said"
[ "$tested" -eq 0 ] && [ "$examined" -eq 0 ]
