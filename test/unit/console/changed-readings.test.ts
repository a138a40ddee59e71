import { expect, test } from "vitest";
import { changedReadings } from "../../../src/console/pages/webhooks/profiles.ts";

test("a webhook's page names what is changed for its own profile", () => {
  const all = changedReadings(null);
  const ofOthers = changedReadings("pickmytrade").filter((text) => !all.includes(text));
  expect(ofOthers).toEqual([expect.stringContaining("0 still means none")]);
  expect(changedReadings("pickmytrade")).toEqual(expect.arrayContaining([...all]));
});
