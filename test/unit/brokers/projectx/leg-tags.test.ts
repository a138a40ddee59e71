import fc from "fast-check";
import { expect, test } from "vitest";
import {
  clOrdIdOf,
  LAST_ATTEMPT,
  legTag,
  readLegTag,
} from "../../../../src/brokers/projectx/leg-tags.ts";
import { newIntentId } from "../../../../src/app/new-ids.ts";
import { isOwnClOrdId, legIdOf, legOf } from "../../../../src/domain/ids.ts";
import { clOrdIdOf as sentId } from "../../../../src/domain/intent.ts";

const role = fc.constantFrom("TAKE_PROFIT", "STOP_LOSS");
const entry = fc.integer({ min: 1, max: 150 }).map((nth) => sentId(newIntentId(), nth));
const attempt = fc.integer({ min: 1, max: LAST_ATTEMPT });

test("a tag says of which entry, which exit and which attempt it is", () => {
  fc.assert(
    fc.property(entry, role, attempt, (of, which, nth) => {
      const leg = { entry: of, role: which, attempt: nth };
      expect(readLegTag(legTag(leg))).toEqual(leg);
    }),
  );
});

test("every attempt goes by the name of the first, is ours, and is as long as the broker allows", () => {
  fc.assert(
    fc.property(entry, role, attempt, (of, which, nth) => {
      const tag = legTag({ entry: of, role: which, attempt: nth });
      const name = clOrdIdOf(tag);
      expect([name, legOf(name)]).toEqual([legIdOf(of, which), which]);
      expect(isOwnClOrdId(name)).toBe(true);
      expect(tag.length).toBeLessThanOrEqual(60);
    }),
  );
});

test.each(["i0-1", "by hand", "", "-r2", "x-r2", "x-r1-SL-", "x-r2-SLX"])("no leg: %s", (tag) => {
  expect(readLegTag(tag)).toBeUndefined();
});

test.each(["x-r0-SL", "x-r1-SL", "x-r100-SL", "x-r02-SL"])("no number of ours: %s", (tag) => {
  expect(readLegTag(tag)).toMatchObject({ attempt: 1, entry: tag.replace("-SL", "") });
});
