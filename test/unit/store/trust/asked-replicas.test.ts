import { expect, test } from "vitest";
import { AskedReplicas } from "../../../../src/store/trust/asked-replicas.ts";
import type { ServerState } from "../../../../src/store/trust/durability.ts";
import type { Standing } from "../../../../src/store/trust/who-is-master.ts";

const server = (present: number, demanded: number | "hidden" = 1, runId = "a"): ServerState => ({
  runId,
  findings: [],
  replicas: { demanded: demanded === "hidden" ? undefined : demanded, present },
  clockMs: [0, 0],
  memory: undefined,
  slowSync: undefined,
});

const silent = async () => await Promise.reject(new Error("No Sentinel answers"));
const says = (standing: Standing) => async () => await Promise.resolve(standing);

test.each([
  ["all that there are", server(2), 2],
  ["as many as it demands while there are fewer", server(0), 1],
  ["one, where it does not show what it demands", server(2, "hidden"), 1],
  ["none, where it writes without any", server(2, 0), 0],
])("asked for are %s", (_, state, count) => {
  const asked = new AskedReplicas(undefined);
  asked.raise([state]);
  expect(asked.of("a")).toBe(count);
});

test("one that is gone counts until it is known that it has not taken over", async () => {
  let standing = says("master");
  const asked = new AskedReplicas(async () => await standing());
  asked.raise([server(2)]);
  await asked.lower([server(2)]);
  const fewer = [server(1)];
  asked.raise(fewer);
  for (const unsure of [says("unknown"), says("replaced"), silent]) {
    standing = unsure;
    await asked.lower(fewer);
  }
  expect(asked.of("a")).toBe(2);
  standing = says("master");
  await asked.lower(fewer);
  expect(asked.of("a")).toBe(1);
  asked.raise([server(2)]);
  expect(asked.of("a")).toBe(2);
});

test("where nobody decides it, one that was there a moment ago counts", async () => {
  const asked = new AskedReplicas(undefined);
  asked.raise([server(2)]);
  await asked.lower([server(1)]);
  expect(asked.of("a")).toBe(2);
});

test("one that comes back is looked for until it is there", () => {
  const asked = new AskedReplicas(undefined);
  asked.raise([server(2), server(1, 1, "b")]);
  expect([asked.mayRise("a"), asked.mayRise("b")]).toEqual([false, true]);
  asked.rise("b", 1);
  expect([asked.of("b"), asked.mayRise("b")]).toEqual([1, true]);
  asked.rise("b", 2);
  expect([asked.of("b"), asked.mayRise("b")]).toEqual([2, false]);
});

test("one that is first seen is used once it is the master beyond doubt", async () => {
  let standing: () => Promise<Standing> = silent;
  const asked = new AskedReplicas(async () => await standing());
  for (const unsure of [silent, says("unknown"), says("replaced")]) {
    standing = unsure;
    await expect(asked.settled([server(1)])).resolves.toEqual([]);
  }
  standing = says("master");
  await expect(asked.settled([server(1)])).resolves.toEqual([server(1)]);
  asked.raise([server(1)]);
  standing = silent;
  const others = [server(1), server(1, 1, "b"), server(1, 0, "c")];
  await expect(asked.settled(others)).resolves.toEqual([server(1), server(1, 0, "c")]);
  await expect(new AskedReplicas(undefined).settled(others)).resolves.toEqual(others);
});

test("each server has its own, and one that is not known as many as any other", () => {
  const asked = new AskedReplicas(undefined);
  asked.raise([server(2), server(1, 1, "b")]);
  expect([asked.of("a"), asked.of("b"), asked.of("c"), asked.of(undefined)]).toEqual([2, 1, 2, 2]);
});
