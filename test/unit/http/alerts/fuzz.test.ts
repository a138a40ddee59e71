import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/errors.ts";
import { unresolvedPlaceholders } from "../../../../src/http/alerts/alert-text.ts";
import { maskSecrets } from "../../../../src/http/alerts/mask-secrets.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";
import { HANGS_AFTER_MS } from "../../../support/wait.ts";
import { hostile, SEED_BODIES } from "./hostile-bodies.ts";
import type { ReadOptions } from "./read-outcome.ts";
import { expectWellFormed } from "./well-formed.ts";

const RUNS = Number(process.env["FUZZ_RUNS"] ?? 3_000);
/** A run is far shorter; what does not end within this never would. */
const PATIENCE_MS = 2 * HANGS_AFTER_MS + RUNS * 2;

const counts = { read: 0, refused: 0 };

/** Reads a body to well-formed alerts, or to a refusal that says where it is wrong. */
function readOrRefuse({ body, ...options }: { readonly body: string } & ReadOptions): void {
  try {
    const { alerts } = readAlerts(body, options);
    expect(alerts.length).toBeGreaterThan(0);
    for (const alert of alerts) expectWellFormed(alert);
    counts.read += 1;
  } catch (error) {
    if (!(error instanceof GatewayError)) throw error;
    const { spec, details } = error;
    if (spec.status !== 400 || details.length === 0) throw new Error(`refused with ${spec.status}`);
    counts.refused += 1;
  }
}

test(
  "any body whatever is read well-formed or refused, in every profile",
  () => {
    const began = performance.now();
    fc.assert(fc.property(hostile, readOrRefuse), { numRuns: RUNS });
    const seconds = Math.round((performance.now() - began) / 1000);
    if (RUNS > 3_000) process.stdout.write(`${JSON.stringify({ RUNS, seconds, ...counts })}\n`);
    // A generator that only makes one of the two would prove nothing about the other.
    expect(Math.min(counts.read, counts.refused)).toBeGreaterThan(RUNS / 20);
  },
  PATIENCE_MS,
);

test("what is read is what is read again: no body changes the reader", () => {
  const firstly = SEED_BODIES.map((body) => outcomeOf(body));
  fc.assert(fc.property(hostile, readOrRefuse), { numRuns: 300 });
  expect(SEED_BODIES.map((body) => outcomeOf(body))).toEqual(firstly);
  expect(Object.keys(Object.prototype)).toEqual([]);
});

/** The processor's time, which others on the machine do not lengthen. */
function cpuMs(body: string): number {
  const before = process.cpuUsage();
  readOrRefuse({ body });
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

function outcomeOf(body: string): unknown {
  try {
    return readAlerts(body, { profile: "native" });
  } catch (error) {
    return String(error);
  }
}

describe("a body of 64 KiB that is built to hurt ends all the same", () => {
  const KIB_64 = 64 * 1024;
  const fill = (piece: string, end = ""): string =>
    piece.repeat(Math.ceil(KIB_64 / piece.length)).slice(0, KIB_64 - end.length) + end;

  /** One line for each way to hurt: braces, quotes and names, repeated names, runs, marks. */
  const PIECES = [
    ["{", "{{", "{{a", "{{ {", "{{}", "}}{{", "{{x}}", "[", "[{", '{"a":'],
    ['"', '\\"', "'", '"key":', '"key"', 'key="', "key='", "key=", "key:", "key", "key ", "key\n"],
    ["key= ", "key=\n", "key\t:\n", "token=a,", "api_key:", "licence-id=", "pass", "secret;"],
    ["a", "a1", "1", "a-", "-", "_", " ", "\n", ";", ",", "; ", "a=b;", "a=b\n", "a=b,", "1,"],
    ["=", "a ,", "\ufeff", "💥", "\u0000", "\\", "\\\\", '\\"key\\":\\"', "'key' : '", "a1 "],
    ["atoken", "token_", "key=a,a", "key=,", 'key" '],
  ];
  const BODIES = PIECES.flat().flatMap((piece) =>
    ["", "x", '"}', ",1=", ";"].map((end) => fill(piece, end)),
  );

  test.each(["", '{"action":"', "60123,buy,ES,", "action=buy;", "action=buy&qty="])(
    "reading it after %j takes no square of its length",
    (start) => {
      const wholes = BODIES.map((body) => start + body.slice(start.length));
      const long = wholes.filter((whole) => cpuMs(whole) > 200);
      // Four times the length: four times the time, and sixteen times where it is the square.
      const isSquare = (whole: string) => cpuMs(whole) > 9 * cpuMs(whole.slice(0, KIB_64 / 4));
      expect(long.filter((whole) => isSquare(whole) && isSquare(whole))).toEqual([]);
      expect(counts.refused).toBeGreaterThan(0);
    },
  );

  test("of a template that is not filled in, each placeholder once", () => {
    const template = (many: number) =>
      JSON.stringify({
        action: "buy",
        symbol: "ES1!",
        qty: 1,
        comment: `${"{{x}} ".repeat(many)}x`,
      });
    // Each placeholder more doubled the time: this took half a second, and a whole body had no end.
    const tries = [1, 2, 3].map(() => cpuMs(template(24)));
    expect(Math.min(...tries)).toBeLessThan(100);
    cpuMs(template(10_000));
  });

  test("looking for placeholders in it", () => {
    for (const body of BODIES) expect(unresolvedPlaceholders(body).length).toBeLessThanOrEqual(10);
  });

  test("masking it", () => {
    const RUNS_OF_SPACE = ["key", 'key"', "key=", "key:", '{"key"', "7"].flatMap((start) =>
      [" ", "\n", "\t", "\\"].map((space) => start + fill(space, "x").slice(start.length)),
    );
    for (const body of [...BODIES, ...RUNS_OF_SPACE]) {
      expect(maskSecrets(body).length).toBeGreaterThan(0);
    }
  });
});
