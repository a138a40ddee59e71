/** Names under which senders put what nobody else may see. */
const NAMES =
  "[a-z0-9]*(?:secret|token|password|passphrase)s?(?:[_-]?key)?|api[_-]?keys?|auth[_-]?key|auth(?:orization)?|bearer|pass|passcode|pwd|pin|key|licen[cs]e(?:[_-]?id)?|credentials?";
/** An escaped string is one in JSON that is itself text in JSON; a list or an object goes as a whole. */
const QUOTED = String.raw`\[[^\]\n]*\]?|\{[^}\n]*\}?|\\+"[^"\n]*"?|"(?:[^"\\\n]|\\.)*"?|'[^'\n]*'?`;

/** `"name": "value"` and `name: value`, in text that need not be valid: a colon may be missing. */
const NAMED = named(String.raw`(?:\\*["'“”„‟]?\s*:\s*|["']\s*(?=["']))`, String.raw`[^,;}\]\n"]+`);
/** `name=value`, which goes on to a semicolon, a line's end, or a comma before another pair. */
const PAIRED = named(String.raw`["']?\s*=\s*`, String.raw`(?:(?!,\s*[\w-]+\s*=)[^;\n"])+`);
/** What begins a line of the comma form: a licence id. */
const LICENSE = /^([^\S\n]*)[^\s,;={}[\]"]+(?=[^\S\n]*,)/gm;
/** The same, where no more than it came. */
const LONE_LICENSE = /^(\s*)[^\s,;={}[\]"\d]*\d[^\s,;={}[\]"]*(?=\s*$)/;
/** Tokens of ours and of others: long runs that are no words, numbers or prices. */
const LONG_SECRET = /(?<![\w-])(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}(?![\w-])/g;

/** Letters and digits that need no escape: with them a name could hide. */
const ESCAPED = /\\u00(3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a])/gi;

const MASK = "***";

/** A body as it may be kept and shown: whatever looks like a secret is masked, valid or not. */
export function maskSecrets(body: string): string {
  const named = body
    .replaceAll(ESCAPED, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
    .replaceAll(NAMED, masked);
  const paired = named.includes("=") ? named.replaceAll(PAIRED, masked) : named;
  return paired
    .replaceAll(LICENSE, `$1${MASK}`)
    .replace(LONE_LICENSE, `$1${MASK}`)
    .replaceAll(LONG_SECRET, MASK);
}

function named(separator: string, bare: string): RegExp {
  return new RegExp(`(^|[^A-Za-z0-9])(["']?(?:${NAMES})${separator})(${QUOTED}|${bare})`, "gi");
}

function masked(_: string, before: string, name: string, value: string): string {
  const quote = /^["']/.exec(value)?.[0] ?? "";
  return `${before}${name}${quote}${MASK}${quote}`;
}
