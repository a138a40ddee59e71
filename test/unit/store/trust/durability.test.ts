import { tmpdir } from "node:os";
import { expect, test } from "vitest";
import { freeBytesOf, judgeClocks, judgeDisk } from "../../../../src/store/trust/durability.ts";

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

const server = (...clockMs: readonly [number, number]) => ({
  runId: "",
  findings: [],
  replicas: { demanded: 1, present: 1 },
  clockMs,
  memory: undefined,
  slowSync: undefined,
});

test("clocks are told as apart only as far as no answer's delay explains it", () => {
  expect(judgeClocks([server(1_000, 1_002)])).toEqual([]);
  expect(judgeClocks([server(1_000, 1_001), server(1_251, 1_252)])).toEqual([]);
  expect(judgeClocks([server(1_000, 1_001), server(700, 3_000)])).toEqual([]);
  expect(judgeClocks([server(1_000, 1_001), server(1_252, 1_253)])).toEqual([
    { kind: "clocks", text: expect.stringMatching(/at least 251 ms apart/) },
  ]);
});
