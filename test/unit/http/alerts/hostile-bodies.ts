import { readdirSync } from "node:fs";
import fc from "fast-check";
import {
  ALERT_PROFILES,
  type AlertProfile,
} from "../../../../src/domain/declared/webhook-options.ts";
import type { ReadOptions } from "./read-outcome.ts";
import { ANY_CHARACTER } from "../../../support/any-character.ts";

/** Bodies as nobody should send them, and as somebody will: near to right ones, and far from any. */

const OUR_BODIES = [
  '{"action":"buy","symbol":"ES1!","qty":"2","stopLoss":{"ticks":20},"alertId":"a1"}\n',
  '{"action":"sell","symbol":"NQZ6","qty":1,"type":"stopLimit","limitPrice":"1","stopPrice":2}',
  '{"action":"buy","symbol":"ES","qty":3,"bracket":{"takeProfit":{"offset":"5.25"}},"test":"1"}',
  '{"position":"-2","symbol":"ES","cancelFirst":true,"firedAt":"2026-09-21T14:30:00Z"}',
  '{"action":"reduce","symbol":"ES","percent":"12.5","maxAgeSeconds":20}',
  '{"action":"reverse","symbol":"ES","qty":2,"timeInForce":"gtc"}',
  '{"action":"protect","symbol":"ES","stopLoss":{"price":5000},"takeProfit":{"offset":10}}',
  '{"action":"cancel","symbol":"ES"}',
  '{"action":"flatten"}',
  '[{"action":"close"},{"action":"buy","symbol":"NQ","qty":1}]',
  "action=buy;symbol=ES1!;qty=1;",
  "action=sell\nsymbol=ES1!\nqty=1\n",
  "position=0,symbol=ES",
  "60123456789,buy,ES1!,vol_lots=1",
];

/** A body, and the profile in whose words it is written. */
interface Seed {
  readonly body: string;
  readonly profile: AlertProfile;
}

/** Every body of every corpus, whichever they are; a corpus has the name of its profile. */
async function corpusSeeds(): Promise<readonly Seed[]> {
  const folder = new URL("corpus/", import.meta.url);
  const files = readdirSync(folder).filter((name) => name.endsWith(".ts"));
  const seeds = files.map(async (name) => {
    const examples: readonly unknown[] = Object.values(
      (await import(new URL(name, folder).href)) as object,
    ).flat();
    const profile = ALERT_PROFILES.find((one) => `${one}.ts` === name) ?? "native";
    return examples.filter(isExample).map(({ body }) => ({ body, profile }));
  });
  return (await Promise.all(seeds)).flat();
}

const isExample = (one: unknown): one is { readonly body: string } =>
  typeof one === "object" && one !== null && "body" in one;

const SEEDS: readonly Seed[] = [
  ...OUR_BODIES.map((body) => ({ body, profile: "native" as const })),
  ...(await corpusSeeds()),
];

export const SEED_BODIES = SEEDS.map(({ body }) => body);

/** Every name that some body gives a field. */
const NAMES = [
  ...new Set(
    SEED_BODIES.flatMap((body) => [...body.matchAll(/([A-Za-z_]\w*)["']?\s*[=:]/g)])
      .map(([, name = ""]) => name)
      .concat("alertId", "maxAgeSeconds", "firedAt", "test", "license", "command"),
  ),
];
const WORDS = [
  ...new Set(
    SEED_BODIES.flatMap((body) => [...body.matchAll(/[=:]\s*["']?([\w!.:+-]+)/g)]).map(
      ([, word = ""]) => word,
    ),
  ),
];

const EVIL_NAMES = [
  "__proto__",
  "constructor",
  "toString",
  "hasOwnProperty",
  "ＱＴＹ",
  "",
  " qty ",
];
const EVIL_TEXTS = [
  "-0",
  "0x10",
  "1e5",
  "1e-7",
  "1e400",
  "9007199254740993",
  "123456789012345678901234567890",
  "0.1".padEnd(40, "0"),
  "１２",
  "NaN",
  "Infinity",
  "null",
  "undefined",
  "true",
  "  ",
  "{{close}}",
  "{{",
  "\u0000",
  "\ud800",
  "\u2028",
  "💥",
  "e\u0301",
  "x".repeat(129),
  "9".repeat(5_000),
  ";",
  "=",
  ",",
  '"',
  "\\",
  "\n",
  "\ufeff",
];

const name = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...NAMES) },
  { weight: 1, arbitrary: fc.constantFrom(...EVIL_NAMES) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
);
const recased = fc
  .tuple(name, fc.constantFrom("as is", "upper", "lower", "snake"))
  .map(([text, how]) => recase(text, how));

function recase(text: string, how: string): string {
  if (how === "upper") return text.toUpperCase();
  if (how === "lower") return text.toLowerCase();
  return how === "snake" ? text.replaceAll(/[A-Z]/g, (one) => `_${one.toLowerCase()}`) : text;
}

const scalar = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 2, arbitrary: fc.constantFrom(...EVIL_TEXTS) },
  { weight: 3, arbitrary: fc.integer({ min: -3, max: 30 }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.constantFrom(null, true, false, 10_000, 10_001, 1e21, 0.5) },
  { weight: 1, arbitrary: fc.string({ unit: ANY_CHARACTER, maxLength: 12 }) },
);
const value = fc.oneof(
  { weight: 8, arbitrary: scalar },
  { weight: 1, arbitrary: fc.dictionary(recased, scalar, { maxKeys: 3, noNullPrototype: true }) },
  { weight: 1, arbitrary: fc.array(scalar, { maxLength: 3 }) },
);
const pairs = fc.array(fc.tuple(recased, value), { maxLength: 8 });

const asJson = (fields: readonly (readonly [string, unknown])[]): string =>
  `{${fields.map(([key, one]) => `${JSON.stringify(key)}:${JSON.stringify(one)}`).join(",")}}`;

const asPairs = (fields: readonly (readonly [string, unknown])[], mark: string): string =>
  fields.map(([key, one]) => `${key}=${plain(one)}`).join(mark);

const plain = (one: unknown): string => (typeof one === "string" ? one : JSON.stringify(one));

const seed = fc.constantFrom(...SEED_BODIES);

/** A right body, written a little differently: as text, in other cases, with something besides. */
function rewrite({ body, profile }: Seed, how: string): Seed {
  const isJson = body.trimStart().startsWith("{");
  switch (how) {
    case "spaced":
      return { body: ` \n${body}\r\n`, profile };
    case "listed":
      return { body: isJson ? `[${body},${body}]` : body, profile };
    case "numbers as text":
      return { body: body.replaceAll(/(":\s*)(-?\d[\d.]*)/g, '$1"$2"'), profile };
    case "text as numbers":
      return { body: body.replaceAll(/(":\s*)"(-?\d[\d.]*)"/g, "$1$2"), profile };
    case "upper names":
      return { body: body.replaceAll(/"(\w+)"(?=\s*:)/g, (one) => one.toUpperCase()), profile };
    default:
      return { body, profile };
  }
}

const WAYS = ["spaced", "listed", "numbers as text", "text as numbers", "upper names", "as it is"];

/** A right body with some of its fields replaced, doubled or added. */
const changedSeed = fc.tuple(seed, pairs).map(([body, fields]) => {
  const [json] = fields;
  if (json === undefined) return body;
  if (body.trimStart().startsWith("{")) return withFields(body, fields);
  return body.includes(";") || !body.includes("\n")
    ? `${body.trim().replace(/[;,]$/, "")}${body.includes(";") ? ";" : ","}${asPairs(fields, ";")}`
    : `${body}\n${asPairs(fields, "\n")}`;
});

function withFields(body: string, fields: readonly (readonly [string, unknown])[]): string {
  try {
    const given = Object.entries(JSON.parse(body) as object);
    const [first = ["", ""]] = fields;
    const index = given.length === 0 ? 0 : first[0].length % given.length;
    const replaced = given.map(([key, one], at): [string, unknown] =>
      at === index ? [key, first[1]] : [key, one],
    );
    return asJson([...replaced, ...fields.slice(1, 3)]);
  } catch {
    return body;
  }
}

/** A right body whose text was cut, doubled, or broken somewhere. */
const brokenSeed = fc
  .tuple(seed, fc.nat(), fc.nat(40), fc.constantFrom("cut", "double", "lose", "insert"), scalar)
  .map(([body, where, length, how, piece]) => {
    const at = where % (body.length + 1);
    const part = body.slice(at, at + length);
    if (how === "cut") return body.slice(0, at);
    if (how === "lose") return body.slice(0, at) + body.slice(at + length);
    const inserted = how === "double" ? part : plain(piece);
    return body.slice(0, at) + inserted + body.slice(at);
  });

const deep = fc
  .tuple(fc.constantFrom("[", '{"a":', '{"bracket":{"stopLoss":', "[{"), fc.nat(3_000))
  .map(([open, times]) => open.repeat(times));

const invented = fc.oneof(
  pairs.map(asJson),
  fc.tuple(pairs, fc.constantFrom(";", "\n", ",", "; ")).map(([fields, mark]) => {
    return asPairs(fields, mark);
  }),
  fc.tuple(fc.array(scalar, { maxLength: 4 }), pairs).map(([first, fields]) => {
    return [...first.map(plain), asPairs(fields, ",")].join(",");
  }),
  fc.array(pairs, { maxLength: 22 }).map((all) => `[${all.map(asJson).join(",")}]`),
);

const nothing = fc.oneof(
  fc.string({ unit: ANY_CHARACTER, maxLength: 60 }),
  fc.json({ maxDepth: 3 }),
  fc.constantFrom(...EVIL_TEXTS),
);

const hostileBody: fc.Arbitrary<string> = fc.oneof(
  { weight: 30, arbitrary: changedSeed },
  { weight: 20, arbitrary: brokenSeed },
  { weight: 20, arbitrary: invented },
  { weight: 5, arbitrary: fc.tuple(seed, seed).map(([one, other]) => `[${one},${other}]`) },
  { weight: 5, arbitrary: nothing },
  { weight: 1, arbitrary: deep },
);

const inItsOwnWords = fc
  .tuple(fc.constantFrom(...SEEDS), fc.constantFrom(...WAYS), fc.option(scalar))
  .map(([one, how, piece]) => {
    const { body, profile } = rewrite(one, how);
    return { profile, body: piece === null ? body : withOneValue(body, piece) };
  });

/** One value of the body, and always the same one of it, becomes another. */
function withOneValue(body: string, piece: unknown): string {
  const values = [...body.matchAll(/(?<=[:=]\s*)(?:"[^"]*"|[\w.+-]+)/g)];
  const found = values[String(piece).length % Math.max(values.length, 1)];
  if (found === undefined) return body;
  const written = found[0].startsWith('"') ? JSON.stringify(piece) : plain(piece);
  return body.slice(0, found.index) + written + body.slice(found.index + found[0].length);
}

const profiles = fc.constantFrom(...ALERT_PROFILES);

/** A body, and what its webhook's owner has set. */
export const hostile: fc.Arbitrary<{ readonly body: string } & ReadOptions> = fc
  .tuple(
    fc.oneof(
      { weight: 1, arbitrary: inItsOwnWords },
      { weight: 2, arbitrary: fc.record({ body: hostileBody, profile: profiles }) },
    ),
    fc.constantFrom(undefined, 1, 7),
  )
  .map(([one, defaultQty]) => ({ ...one, ...(defaultQty !== undefined && { defaultQty }) }));
