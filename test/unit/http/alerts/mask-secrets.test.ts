import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { maskSecrets } from "../../../../src/http/alerts/mask-secrets.ts";

describe("a secret is masked", () => {
  test.each([
    ['{"token":"abc","qty":1}', '{"token":"***","qty":1}'],
    ['{ "token" : "abc" }', '{ "token" : "***" }'],
    ['{"Secret":"a\\"b,c}","qty":1}', '{"Secret":"***","qty":1}'],
    ['{"pin":1234,"qty":1}', '{"pin":***,"qty":1}'],
    ['{"a":[{"api_key":"x","qty":1}]}', '{"a":[{"api_key":"***","qty":1}]}'],
    ["{'token':'abc','qty':1}", "{'token':'***','qty':1}"],
    ['{token: "abc", qty: 1}', '{token: "***", qty: 1}'],
    ['{"token":abc,"qty":1}', '{"token":***,"qty":1}'],
    ['{"token" "abc","qty":1}', '{"token" "***","qty":1}'],
    ['{"token":"abc', '{"token":"***"'],
    ['{"token":"abc\n"qty":1}', '{"token":"***"\n"qty":1}'],
    ['{"text":"{\\"token\\":\\"abc\\",\\"qty\\":1}"}', '{"text":"{\\"token\\":***,\\"qty\\":1}"}'],
    ["key=abc;command=place", "key=***;command=place"],
    ["key = abc def ; command=place", "key = ***; command=place"],
    ["key=a,b}c]d;command=place", "key=***;command=place"],
    ["secret=abc\ncommand=place", "secret=***\ncommand=place"],
    ["secret=abc,qty=1", "secret=***,qty=1"],
    ['key="a;b";qty=1', 'key="***";qty=1'],
    ["60123456,buy,ES1!,secret=abc,lots=1", "***,buy,ES1!,secret=***,lots=1"],
    [" 60123456 , buy", " *** , buy"],
    ["60123456", "***"],
    ["{“token”: “abc”, “qty”: 1}", "{“token”: ***, “qty”: 1}"],
    ["url https://x/hooks?token=abc", "url https://x/hooks?token=***"],
    ['{"id":"AbCdEfGhIjKlMnOpQrStUvWxYz0123456789-_"}', '{"id":"***"}'],
  ])("%j is kept as %j", (body, kept) => {
    expect(maskSecrets(body)).toBe(kept);
  });
});

describe("what is no secret stays", () => {
  test.each([
    "",
    "buy ES",
    '{"action":"buy","symbol":"CME_MINI:ES1!","qty":2,"limitPrice":"5000.25"}',
    '{"monkey":"banana","keyboard":"x","tokenized":"y","author":"z","compass":"north"}',
    '{"comment":"the key level held","type":"key"}',
    "action=buy;symbol=ES1!;limitPrice=5000.25;comment=pin bar",
    "action=buy,symbol=ES1!,qty=1",
    "Crossing 5000.25 on ES1!, 2026-09-21T14:30:00Z",
    '{"alertId":"breakout-2026-09-21T14:30:00Z","strategy":"my long strategy name for es"}',
    '{"id":"a-very-long-name-of-many-words-and-no-digits"}',
    '{"n":"12345678901234567890123456789012345678901234567890"}',
  ])("%j", (body) => {
    expect(maskSecrets(body)).toBe(body);
  });
});

const NAMES = [
  ["key", "apiKey", "api_key", "API-KEY", "apikey", "authKey", "auth_token", "auth", "Token"],
  ["accessToken", "api_token", "webhookToken", "secret", "clientSecret", "api_secret", "SECRET"],
  ["pass", "password", "passphrase", "passcode", "pwd", "userPassword", "pin", "credential"],
  ["license", "licence", "license_id", "licenceId", "account_key"],
].flat();

/** Letters that stand nowhere else in the bodies below, so that a part of it is found too. */
const PLAIN = "Q X Z J q x z j 1 3 5 7 9 - _ . / + ! @ # $ % ^ & * ( )".split(" ");
const secret = (more: readonly string[]) =>
  fc
    .array(fc.constantFrom(...PLAIN, ...more), { minLength: 6, maxLength: 50 })
    .map((letters) => `Q${letters.join("")}X`);
const MARKS = [":", "}", "]", "{", "[", "'", "\\", "💥"];
const inJson = secret([...MARKS, " ", ",", ";", "=", '"', "\n", "\t", "\u2028"]);
const inPairs = secret([...MARKS, " ", ","]);
const inCommas = secret(MARKS);

const rest = '"action":"buy","symbol":"ES1!","limitPrice":"5000.25"';

/** A body with a secret in it, as its text shows it. */
const bodies = fc.oneof(
  json((name, value) => `{"${name}":${value},${rest}}`),
  json((name, value) => `{${rest}, "${name}" : ${value} }`),
  json((name, value) => `[{${rest}},{"a":{"${name}":${value}}}]`),
  json((name, value) => `{${rest} "${name}": ${value}`),
  json((name, value) => `{${name}:${value},${rest}`),
  json((name, value) => `{"${name}" ${value},${rest}}`),
  pairs(inPairs, (name, value) => `${name}=${value};action=buy;symbol=ES1!`),
  pairs(inPairs, (name, value) => `action=buy\n${name} = ${value}\nsymbol=ES1!`),
  pairs(inCommas, (name, value) => `action=buy,${name}=${value},symbol=ES1!`),
  pairs(inCommas, (name, value) => `60,buy,ES1!,${name}=${value},lots=1`),
  secret([])
    .filter((value) => !value.includes("="))
    // A licence id is a number, or has one: a word alone is what somebody wrote in plain words.
    .map((value) => ({ body: `6${value},buy,ES1!,lots=1`, value: `6${value}` })),
);

function json(write: (name: string, value: string) => string) {
  return fc.tuple(fc.constantFrom(...NAMES), inJson).map(([name, value]) => {
    const written = JSON.stringify(value);
    return { body: write(name, written), value: written.slice(1, -1) };
  });
}

function pairs(values: fc.Arbitrary<string>, write: (name: string, value: string) => string) {
  return fc.tuple(fc.constantFrom(...NAMES), values).map(([name, value]) => ({
    body: write(name, value),
    value,
  }));
}

/** Every run of a few of its letters would help whoever guesses. */
const partsOf = (value: string): readonly string[] =>
  Array.from({ length: value.length - 3 }, (_, at) => value.slice(at, at + 4));

test("no part of a secret is left, wherever the body was cut", () => {
  fc.assert(
    fc.property(bodies, fc.nat(), ({ body, value }, where) => {
      const end = body.indexOf(value) + value.length;
      const whole = maskSecrets(body);
      const cut = maskSecrets(body.slice(0, end + (where % (body.length - end + 1))));
      const inside = maskSecrets(body.slice(0, end - (where % (value.length - 1))));
      const kept = [whole, cut, inside].filter((text) =>
        partsOf(value).some((part) => text.includes(part)),
      );
      expect(kept).toEqual([]);
    }),
    { numRuns: 1_000 },
  );
});

test("what stands beside the secret is still there", () => {
  fc.assert(
    fc.property(bodies, ({ body }) => {
      const kept = maskSecrets(body);
      expect(kept).toContain("***");
      expect([kept, kept.includes("ES1!")]).toEqual([kept, true]);
    }),
  );
});

test("masking again masks nothing more", () => {
  fc.assert(
    fc.property(bodies, ({ body }) => {
      const once = maskSecrets(body);
      expect(maskSecrets(once).replaceAll("***", "")).toBe(once.replaceAll("***", ""));
    }),
  );
});
