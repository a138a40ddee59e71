import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { freeBytesOf, judgeDisk } from "../../../../src/store/guard/durability.ts";

const MEGABYTE = 1024 * 1024;

test.each([
  [0, "diskFull", /^The disk of \/data is full: nothing is accepted/],
  [MEGABYTE - 1, "diskFull", /is full/],
  [MEGABYTE, "diskLow", /has 1 MB left/],
  [512 * MEGABYTE - 1, "diskLow", /has 511 MB left/],
])("a disk with %d bytes left is told as %s", (freeBytes, kind, words) => {
  const [finding, ...others] = judgeDisk("/data", freeBytes);
  expect(finding).toEqual({ kind, text: expect.stringMatching(words) });
  expect(others).toEqual([]);
});

test("a disk with room says nothing", () => {
  expect(judgeDisk("/data", 512 * MEGABYTE)).toEqual([]);
});

test("the room of a folder's disk is read from the system", async () => {
  expect(await freeBytesOf(tmpdir())).toBeGreaterThan(0);
});
