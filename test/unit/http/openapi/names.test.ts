import { expect, test } from "vitest";
import { openApi } from "../http-kit.ts";

interface Text {
  readonly type?: string;
  readonly pattern?: string;
  readonly maxLength?: number;
}
interface Schema {
  readonly properties?: Readonly<Record<string, Text>>;
}

/** Rules of their own have what a person signs in with, which is longer, and words for paths and alerts. */
const OF_KEPT_THINGS = 64;

const schemas = Object.entries(openApi.components.schemas as Readonly<Record<string, Schema>>);
const named = schemas.flatMap(([title, { properties = {} }]) =>
  properties["name"]?.maxLength === OF_KEPT_THINGS ? [[title, properties["name"]] as const] : [],
);

test("names of kept things have one rule", () => {
  expect(named.length).toBeGreaterThan(5);
  expect(new Set(named.map(([, { pattern }]) => pattern)).size).toBe(1);
});

test.each(named)("the name in %s looks like what it is", (_, { pattern = "" }) => {
  expect("live\u202etest").not.toMatch(new RegExp(pattern));
  expect("Prüfung 1 👨‍👩‍👧").toMatch(new RegExp(pattern));
});
