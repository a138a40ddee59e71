import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { createChannel } from "../../../src/notify/channel.ts";
import type { Delivery, OpenedSettings } from "../../../src/trading/notify/ports.ts";
import { eventOf } from "../../conformance/channel-kit.ts";

const to: OpenedSettings = {
  kind: "heartbeat",
  settings: { url: "https://example.com/a-secret" },
  secrets: [],
};
const notice = { event: eventOf(), count: 1, isSilent: false };

const channel = (deliver: () => Promise<Delivery>, limitMs?: number) =>
  createChannel({ kind: "heartbeat", gapMs: 0, deliver }, limitMs);

describe("a channel", () => {
  test.each([
    ["an error", new TypeError("https://example.com/a-secret is wrong"), "TypeError"],
    ["anything", "a-secret", "unknown"],
  ])("throws nothing when %s is thrown, and says nothing of it", async (_, thrown, name) => {
    const { signal } = new AbortController();
    // oxlint-disable-next-line typescript/prefer-promise-reject-errors
    const delivery = await channel(() => Promise.reject(thrown)).send(notice, to, { signal });
    expect(delivery).toEqual({ kind: "failed", reason: `The gateway could not tell it (${name})` });
  });

  test("ends in time although what it runs does not", async () => {
    const never = () => new Promise<Delivery>(() => {});
    const { signal } = new AbortController();
    expect(await channel(never, 20).send(notice, to, { signal })).toMatchObject({ kind: "failed" });
    const aborted = AbortSignal.timeout(20);
    expect(await channel(never).send(notice, to, { signal: aborted })).toMatchObject({
      kind: "failed",
    });
  });

  test("leaves nothing on the signal of who asks, which may live as long as the process", async () => {
    const { signal } = new AbortController();
    const delivered = async (): Promise<Delivery> => ({ kind: "delivered" });
    for (let n = 0; n < 3; n += 1) await channel(delivered).send(notice, to, { signal });
    await channel(() => Promise.reject(new Error("no"))).send(notice, to, { signal });
    expect(getEventListeners(signal, "abort")).toEqual([]);
  });

  test("is not run at all for who has given it up before", async () => {
    let runs = 0;
    const count = async (): Promise<Delivery> => {
      runs += 1;
      return { kind: "delivered" };
    };
    const signal = AbortSignal.abort();
    expect(await channel(count).send(notice, to, { signal })).toMatchObject({ kind: "failed" });
    expect(runs).toBe(0);
  });
});
