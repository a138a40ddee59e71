const LONGEST_TEXT = 300;

// Our own secrets by their prefix; others by their length: 256 bits are 43 characters of base64url,
// and a signed token's parts are longer. A UUID has 36.
const SECRET = /gw[khsu]_[A-Za-z0-9_-]+|[A-Za-z0-9_-]{40,}/g;
const URL_LIKE = /[a-z][a-z0-9+.-]*:\/\/[^\s"'`]*/gi;
const HOOK = /\/hooks\/[^\s"'`]+/g;
// Redis and the JSON parser repeat what they were given.
const REPEATED_INPUT = /(with args beginning with:|in JSON at|is not valid JSON)[^]*$/;

// Too short for a secret and without the characters that a URL needs: most of what is logged.
const PLAIN = /^[A-Za-z0-9_.:-]{0,39}$/;

/**
 * Makes a text fit for logs: one line, bounded, without URLs and without anything long enough to
 * be a key or a token. A safeguard only: texts that hold raw input must not be logged at all.
 */
export function scrub(text: string): string {
  if (PLAIN.test(text) && !text.includes("gw")) return text;
  return (text.split("\n", 1)[0] ?? "")
    .replace(REPEATED_INPUT, "$1 …")
    .replace(HOOK, "/hooks/…")
    .replace(URL_LIKE, "[url]")
    .replace(SECRET, "[removed]")
    .slice(0, LONGEST_TEXT);
}

/** More texts than that are not of a closed set. */
const MOST_TEXTS = 500;

/** For texts of a closed set, such as messages and the templates of routes: each is worked on once. */
export function onceForEach<Result>(work: (text: string) => Result): (text: string) => Result {
  const known = new Map<string, Result>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const result = work(text);
    if (known.size < MOST_TEXTS) known.set(text, result);
    return result;
  };
}
