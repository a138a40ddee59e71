import { expect, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { createKeys, markBeside } from "../../../src/store/keys.ts";

/** What scripts and WAIT put beside any other key: `script.ts`, `hold-until-replicated.ts`. */
const BESIDE = [":never", ":replicated"];

test.each([
  ["gw:{paper-1}:intent:i1", "gw:{paper-1}:replicated"],
  ["gw:users", "gw:{gw:users}:replicated"],
])("the mark beside %s lies in its slot", (key, mark) => {
  expect(markBeside(key)).toBe(mark);
});

test("what is put beside a key is never a key of its own", () => {
  const { killSwitch, ...others } = createKeys();
  const made = Object.values(others).map((key: unknown) =>
    typeof key === "function" ? String((key as (...of: string[]) => unknown)("a", "b", "c")) : key,
  );
  const keys = [killSwitch({ accountId: accountId("a") }), ...made].map(String);
  expect(keys.length).toBeGreaterThan(50);
  expect(keys.filter((key) => BESIDE.some((end) => key.endsWith(end)))).toEqual([]);
});
