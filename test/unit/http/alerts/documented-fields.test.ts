import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { DIALECTS } from "../../../support/dialects/all.ts";
import type { Dialect, FieldRow } from "../../../support/dialects/field-row.ts";
import { type Problems, readOutcome, wasRead } from "./read-outcome.ts";
import type { ReadAlert } from "../../../../src/domain/alert.ts";

type Body = Readonly<Record<string, unknown>>;

/** As the service sends it: the comma form has its own order of the first three. */
function read(dialect: Dialect, body: Body): ReadAlert | Problems {
  if (dialect.profile !== undefined) {
    return readOutcome(JSON.stringify(body), { profile: dialect.profile });
  }
  const { command, symbol, ...rest } = body;
  const pairs = Object.entries(rest).filter(([, value]) => value !== "");
  const words = pairs.map(([name, value]) => `,${name}=${String(value)}`);
  return readOutcome(`60123456789,${String(command)},${String(symbol)}${words.join("")}`, {});
}

/** What it asks for, without what it merely names. */
function meaningOf(outcome: ReadAlert | Problems): string {
  if (!wasRead(outcome)) return "refused";
  const { unread: _, ...asked } = outcome;
  return JSON.stringify(asked);
}

const bodyOf = ({ entry }: Dialect, { shown }: FieldRow): Body => ({ ...entry, ...shown });

describe.each(DIALECTS)("$title", (dialect) => {
  const shown = dialect.read.filter((row) => row.shown !== undefined);

  test("a plain entry is read", () => {
    expect(wasRead(read(dialect, dialect.entry))).toBe(true);
  });

  test.each(shown)("$name is read, and asks for something", (row) => {
    const outcome = read(dialect, bodyOf(dialect, row));
    expect(outcome).toHaveProperty("request");
    expect(meaningOf(outcome)).not.toBe(meaningOf(read(dialect, dialect.entry)));
  });

  const refused = Object.keys(dialect.refused).filter((name) => !/[ =:]/.test(name));

  test.each(refused)("%s is refused by name", (name) => {
    const [leg, inner] = name.split(".");
    const level = leg === "stopLoss" ? { amount: 10 } : { limitPrice: 5100 };
    const value = inner === undefined ? 5 : { ...level, [inner]: 5 };
    const body = { ...dialect.entry, [leg ?? name]: value };
    expect(Object.keys(read(dialect, body))).toContain(name);
  });

  test("what protects an order is never left out silently, whatever stands beside it", () => {
    const rows = shown.filter((row) => row.protects === true);
    const readable = rows.map((row) => row.shown ?? {});
    const names = new Set([...rows.flatMap(({ name }) => name.split(/[,.:] ?/)), ...refused]);
    const protecting = [
      ...readable,
      ...refused.filter((name) => !name.includes(".")).map((name): Body => ({ [name]: 5 })),
    ];
    const place = fc.oneof(
      { weight: 9, arbitrary: fc.nat(readable.length - 1) },
      { weight: 1, arbitrary: fc.nat(protecting.length - 1) },
    );
    const picked = fc.uniqueArray(place, { minLength: 1, maxLength: 4 });
    let count = 0;
    fc.assert(
      fc.property(picked, (places) => {
        const fields: Body = Object.assign({}, ...places.map((one) => protecting[one]));
        const body = { ...dialect.entry, ...fields };
        const outcome = read(dialect, body);
        if (!wasRead(outcome)) return;
        count += 1;
        for (const name of Object.keys(fields).filter((one) => names.has(one))) {
          const { [name]: _, ...without } = body;
          // The entry's own field, where a sample only says it in another way.
          const bare =
            name in dialect.entry ? { ...without, [name]: dialect.entry[name] } : without;
          const isAsked = meaningOf(read(dialect, bare)) !== meaningOf(outcome);
          const isSame = JSON.stringify(bare[name]) === JSON.stringify(body[name]);
          const isNamed = outcome.unread.includes(name);
          expect([name, isAsked || isNamed || isSame]).toEqual([name, true]);
        }
      }),
      { numRuns: 400 },
    );
    // Where everything is refused, nothing is shown.
    expect(count).toBeGreaterThan(20);
  });
});
