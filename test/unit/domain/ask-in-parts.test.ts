import { expect, test } from "vitest";
import { ASKED_AT_ONCE, askInParts } from "../../../src/domain/ask-in-parts.ts";

test("what is asked for many is answered in order, and only so many are on their way at once", async () => {
  const items = Array.from({ length: 3 * ASKED_AT_ONCE + 1 }, (_, n) => n);
  let [onTheirWay, most] = [0, 0];
  const answers = await askInParts(items, async (item) => {
    onTheirWay += 1;
    most = Math.max(most, onTheirWay);
    await Promise.resolve();
    onTheirWay -= 1;
    return item * 2;
  });
  expect(answers).toEqual(items.map((item) => item * 2));
  expect(most).toBe(ASKED_AT_ONCE);
});
