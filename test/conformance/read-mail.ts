import assert from "node:assert/strict";

export interface ReadMail {
  /** By their names in small letters, decoded. */
  readonly headers: ReadonlyMap<string, string>;
  readonly text: string;
}

/** A mail of one part of text, as RFC 5322, 2045 and 2047 have it. */
export function readMail(mail: string): ReadMail {
  const end = mail.indexOf("\r\n\r\n");
  const headers = new Map<string, string>();
  for (const line of mail
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, " ")
    .split("\r\n")) {
    const [, name = "", value = ""] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    assert(!headers.has(name.toLowerCase()), `${name} comes once`);
    headers.set(name.toLowerCase(), decodedWords(value));
  }
  assert.match(headers.get("content-type") ?? "", /^text\/plain; charset=utf-8/);
  const encoding = headers.get("content-transfer-encoding") ?? "7bit";
  return { headers, text: decodedBody(mail.slice(end + 4), encoding).replaceAll("\r\n", "\n") };
}

function decodedBody(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  if (encoding !== "quoted-printable") return body;
  return fromHex(body.replaceAll(/=\r\n/g, ""));
}

function decodedWords(value: string): string {
  return value
    .replaceAll(/\?=\s+=\?/g, "?==?")
    .replaceAll(/=\?utf-8\?([QB])\?([^?]*)\?=/gi, (_, form: string, word: string) =>
      form.toUpperCase() === "B"
        ? Buffer.from(word, "base64").toString("utf8")
        : fromHex(word.replaceAll("_", " ")),
    );
}

/** `=C3=97` and the like, in UTF-8. */
const fromHex = (text: string): string =>
  text.replaceAll(/(=[0-9A-F]{2})+/g, (bytes) =>
    Buffer.from(bytes.replaceAll("=", ""), "hex").toString("utf8"),
  );
