import { expect, test } from "vitest";
import type { AdapterMemory } from "../../../../src/brokers/broker-kind.ts";
import { MemoryParts } from "../../../../src/brokers/projectx/memory-parts.ts";

/** A store that answers as it is told to. */
function store(kept: string | undefined) {
  const saved: string[] = [];
  const state = { kept, isDown: false };
  const memory: AdapterMemory = {
    load: () => (state.isDown ? Promise.reject(new Error("down")) : Promise.resolve(state.kept)),
    save: async (text) => {
      state.kept = text;
      saved.push(text);
    },
  };
  return { memory, saved, state };
}

function partsOf(memory: AdapterMemory | undefined, mayWrite = true) {
  const told: unknown[] = [];
  const onTrouble = (error: unknown) => void told.push(error);
  return { parts: new MemoryParts({ memory, mayWrite: () => mayWrite, onTrouble }), told };
}

test("each saves its own, and the next owner loads all of it", async () => {
  const { memory } = store(undefined);
  const { parts } = partsOf(memory);
  expect(await parts.former()).toBe("none");
  parts.save("token", "t");
  parts.save("brackets", "b");
  await parts.close();
  const next = partsOf(memory).parts;
  expect([await next.load("token"), await next.load("brackets")]).toEqual(["t", "b"]);
  expect(await next.former()).toBe("kept");
});

test("what is saved again as it was is not written again", async () => {
  const { memory, saved } = store(undefined);
  const { parts } = partsOf(memory);
  for (let n = 0; n < 3; n += 1) parts.save("token", "t");
  await parts.close();
  expect(saved).toHaveLength(1);
});

test("what cannot be read just now is not written over", async () => {
  const { memory, saved, state } = store('{"brackets":"b"}');
  state.isDown = true;
  const { parts, told } = partsOf(memory);
  expect(await parts.load("brackets")).toBeUndefined();
  expect(await parts.former()).toBe("unreadable");
  parts.save("token", "t");
  await parts.close();
  expect(saved).toEqual([]);
  expect(told.length).toBeGreaterThan(0);
  state.isDown = false;
  parts.save("token", "t2");
  await parts.close();
  expect(JSON.parse(saved[0] ?? "")).toEqual({ brackets: "b", token: "t2" });
  expect(await parts.load("brackets")).toBe("b");
});

test.each(["", "{", "7", "null", "[]"])(
  "what nobody understands is said to be so: %s",
  async (text) => {
    const { parts } = partsOf(store(text).memory);
    expect(await parts.load("token")).toBeUndefined();
    expect(await parts.former()).toBe("unreadable");
  },
);

test("a former owner writes nothing any more", async () => {
  const { memory, saved } = store(undefined);
  const { parts } = partsOf(memory, false);
  parts.save("token", "t");
  await parts.close();
  expect(saved).toEqual([]);
});

test("who has no memory has lost none, and remembers for itself", async () => {
  const { parts } = partsOf(undefined);
  parts.save("token", "t");
  expect([await parts.load("token"), await parts.former()]).toEqual(["t", "kept"]);
});
