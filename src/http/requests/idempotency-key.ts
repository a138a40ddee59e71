import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { errors } from "../../errors.ts";

/** Visible ASCII, as a structured field's string (`"a-b"`) or bare (`a-b`): both name one key. */
const QUOTED = /^"((?:[\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;
const BARE = /^[\x21\x23-\x7e][\x21-\x7e]*$/;

/** The caller's name for one intended order; undefined when it gave none. */
export function readIdempotencyKey(headers: IncomingHttpHeaders): string | undefined {
  const header = headers["idempotency-key"];
  if (header === undefined) return undefined;
  const text = String(header);
  const quoted = QUOTED.exec(text)?.[1]?.replaceAll(/\\(.)/g, "$1");
  const key = quoted ?? (BARE.test(text) ? text : "");
  if (key.length >= 1 && key.length <= 255) return key;
  const message = "must be 1 to 255 visible ASCII characters, in double quotes or bare";
  throw errors.validationFailed([{ path: "Idempotency-Key", message }]);
}

/** The same for two bodies that say the same, in whatever order they name their fields. */
export function fingerprint(body: unknown): string {
  return createHash("sha256").update(canonical(body)).digest("hex");
}

function canonical(value: unknown): string {
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  const fields = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${fields.map(([name, field]) => `${JSON.stringify(name)}:${canonical(field)}`).join(",")}}`;
}
