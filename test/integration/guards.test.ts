// The goal: an account cannot lose more than its guards allow, whatever comes in, and whoever restarts.
// The method: a gateway of this process whose prices are in our hand, and its own Redis.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";

vi.setConfig({ testTimeout: 40_000 });

const ES = frontMonth("ES");
/** What ES is bid at unless a test says else. */
const BID = 27_400;

let gateway: TestGateway;

beforeEach(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-2" } });
});
afterEach(() => gateway.stop());

const PATH = "/v1/accounts/paper-1/guards";
const DAILY_LOSS = {
  id: "daily",
  kind: "loss",
  mode: "on",
  lock: "soft",
  period: "day",
  limit: 1_000,
  counts: "open",
  then: "flatten",
};

interface Guards {
  readonly version: string;
  readonly lock: Readonly<Record<string, unknown>> | null;
  readonly rules: readonly Readonly<Record<string, unknown>>[];
}

const guards = async () => (await gateway.api.get(PATH)).body as unknown as Guards;

async function guard(...rules: readonly object[]): Promise<void> {
  const reply = await gateway.api.put(PATH, { bufferPercent: 0, rules });
  expect(reply.status).toBe(200);
  await expect
    .poll(async () => ((await guards()) as unknown as { judgedAt: unknown }).judgedAt, {
      timeout: 5_000,
    })
    .not.toBeNull();
}

const buy = async (more: object = {}) =>
  await gateway.alert({ action: "buy", symbol: "ES1!", qty: 2, ...more });
const held = async () => {
  const { body } = await gateway.api.get("/v1/accounts/paper-1/positions");
  return (body as unknown as { positions: readonly { netQty: number }[] }).positions;
};

describe("a daily loss", () => {
  test("locks the account at its limit, closes everything, and lets only exits pass", async () => {
    await guard(DAILY_LOSS);
    expect(await buy()).toMatchObject({ status: 200 });
    // Two contracts, 12.50 a tick: bought at the ask, one tick above.
    gateway.quote(ES, BID - 39);
    await expect.poll(async () => (await guards()).lock, { timeout: 5_000 }).not.toBeNull();
    await expect.poll(held, { timeout: 5_000 }).toEqual([]);
    const refused = await buy({ comment: "another" });
    expect(refused).toMatchObject({ status: 422, body: { error: { code: "LOCKED" } } });
    const told = async () => {
      const { body } = await gateway.api.get(`${PATH}/history`);
      const all = (body["decisions"] as { what: string }[]).map(({ what }) => what).toReversed();
      return all.filter((what) => ["locked", "flattened", "isFlat"].includes(what));
    };
    await expect.poll(told, { timeout: 10_000 }).toEqual(["locked", "flattened", "isFlat"]);
  });
});
