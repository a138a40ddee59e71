/**
 * Goal: a gateway that is started again, or another one that takes over, goes on where the former
 * owner of a connection was: it logs in only where it must, and keeps to the broker's pauses.
 * Method: one adapter after the other with one memory, against the simulator.
 */
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { AdapterMemory } from "../../src/brokers/broker-kind.ts";
import type { TradovateAdapterDeps } from "../../src/brokers/tradovate/adapter.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { waitUntil } from "../support/wait.ts";
import { px, Trader } from "./broker-under-test.ts";
import { createTradovateOn, type TradovateUnderTest } from "./tradovate-kit.ts";

let simulator: TradovateSimulator;

beforeAll(async () => {
  simulator = await startTradovateSimulator();
  return simulator.stop;
});

/** What is kept, as a test sees it and may change it. */
class Kept implements AdapterMemory {
  text: string | undefined;
  readonly load = async () => this.text;
  readonly save = async (text: string) => void (this.text = text);

  get record(): Record<string, unknown> {
    return JSON.parse(this.text ?? "{}") as Record<string, unknown>;
  }
}

interface Case {
  readonly trader: Trader;
  readonly broker: TradovateUnderTest;
  readonly memory: Kept;
}

/** The kit has asked for the accounts by then, which is one login. */
async function prepared(deps: Partial<TradovateAdapterDeps> = {}): Promise<Case> {
  const memory = new Kept();
  const broker = await createTradovateOn(simulator, { memory, ...deps });
  const trader = new Trader(broker);
  onTestFinished(() => trader.close());
  return { trader, broker, memory };
}

async function connected(deps: Partial<TradovateAdapterDeps> = {}): Promise<Case> {
  const given = await prepared(deps);
  await given.trader.connect();
  await given.trader.market(999, 1_000);
  return given;
}

async function logins({ user }: TradovateUnderTest): Promise<number> {
  const entries = await simulator.wire();
  const asked = entries.filter(({ dir, path }) => dir === "in" && /accesstoken/.test(path ?? ""));
  return asked.filter(({ text }) => text.includes(`"${user}"`)).length;
}

describe("the next owner", () => {
  test("uses the token that is there, however often the gateway is started", async () => {
    const { trader, broker } = await connected();
    const before = await logins(broker);
    for (let n = 0; n < 6; n += 1) await trader.restart();
    await trader.place();
    await trader.waitForPosition(1);
    expect(await logins(broker)).toBe(before);
  });

  test("uses the token of a renewal", async () => {
    const { trader, broker, memory } = await connected();
    const [before, first] = [await logins(broker), memory.text];
    const fault = { kind: "status", status: 401, body: "Expired Access Token" } as const;
    const { user } = broker;
    await simulator.control({ knob: "fault", fault, user, endpoint: "order/placeorder" });
    await trader.place();
    await trader.disconnect();
    expect(memory.text).not.toBe(first);
    await trader.restart();
    expect(await logins(broker)).toBe(before);
  });

  test("logs in where the token is taken away meanwhile", async () => {
    const { trader, broker } = await connected();
    await trader.disconnect();
    const before = await logins(broker);
    await simulator.control({ knob: "killSessions", user: broker.user });
    await trader.restart();
    await trader.place();
    expect(await logins(broker)).toBe(before + 1);
  });

  test("asks for nothing while the lockout of the former one lasts", async () => {
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const elapsed = () => performance.now() + ahead;
    const { trader, broker } = await connected({ now, elapsed });
    const { user } = broker;
    const fault = { kind: "status", status: 429 } as const;
    const { orderId } = await trader.limit("BUY", 990);
    // Of two endpoints, by which it is the user's.
    for (const endpoint of ["order/placeorder", "order/modifyorder"]) {
      await simulator.control({ knob: "fault", fault, user, endpoint });
    }
    expect((await trader.submit()).kind).toBe("notSent");
    expect((await trader.modify({ orderId, price: px(991) })).kind).toBe("notSent");
    await trader.disconnect();
    trader.adapter = await broker.restart();
    const frames = (await simulator.wire()).filter((entry) => entry.user === user).length;
    const again = trader.connect();
    await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() !== undefined);
    expect((await simulator.wire()).filter((entry) => entry.user === user)).toHaveLength(frames);
    ahead = 60 * 60_000;
    await again;
  });

  test("waits after logins that failed as the former one would have", async () => {
    let ahead = 0;
    const now = () => Date.now() + ahead;
    const elapsed = () => performance.now() + ahead;
    const { trader, broker } = await prepared({ now, elapsed });
    const { user } = broker;
    await simulator.control({ knob: "set", user, loginError: "Service temporarily unavailable" });
    await expect(trader.connect()).rejects.toThrow(/temporarily/);
    await simulator.control({ knob: "set", user, loginError: null });
    trader.adapter = await broker.restart();
    const before = await logins(broker);
    const again = trader.connect();
    await waitUntil("it waits", () => trader.adapter.lastMessageAt?.() !== undefined);
    expect(await logins(broker)).toBe(before);
    ahead = 15_000;
    await again;
  });

  test("tries new credentials at once, with a login of their own", async () => {
    const { trader, broker, memory } = await connected();
    await trader.disconnect();
    memory.text = JSON.stringify({ ...memory.record, settings: "of another password" });
    const before = await logins(broker);
    await trader.restart();
    expect(await logins(broker)).toBe(before + 1);
  });

  test.each([
    ["nothing of use", "{}"],
    ["no text of ours", "\u0000not JSON"],
    [
      "times of another clock",
      JSON.stringify({
        settings: "x",
        pace: { failures: 0, notBefore: 0, quotaAt: 9e15, grantedAt: [9e15, 9e15, 9e15, 9e15] },
        lockedUntil: 0,
        token: null,
      }),
    ],
  ])("begins anew where %s is kept", async (_, text) => {
    const { trader, broker, memory } = await prepared();
    memory.text = text;
    await trader.connect();
    await trader.market(999, 1_000);
    await trader.place();
    expect(await logins(broker)).toBe(2);
  });

  test("works where nothing can be kept, and says so", async () => {
    const failing = async () => await Promise.reject(new Error("The store is away"));
    const { trader, broker } = await connected({ memory: { load: failing, save: failing } });
    await trader.place();
    expect(broker.told).toContain("Error: The store is away");
  });
});

test("a former owner keeps nothing over what the present one knows", async () => {
  let mayWrite = true;
  const { trader, memory } = await connected({ mayWrite: () => mayWrite });
  memory.text = "kept by the present owner";
  mayWrite = false;
  expect((await trader.submit()).kind).toBe("notSent");
  await trader.broken();
  expect(memory.text).toBe("kept by the present owner");
});
