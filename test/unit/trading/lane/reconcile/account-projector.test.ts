import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, execId, orderId } from "../../../../../src/domain/ids.ts";
import type { Fill, OrderReport } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { BrokerReadError, type WaitFor } from "../../../../../src/trading/ports.ts";
import {
  type AccountBroker,
  AccountProjector,
} from "../../../../../src/trading/lane/reconcile/account-projector.ts";
import { FEW_FILLS } from "../../../../../src/trading/reads/ports.ts";
import { ScriptedBroker } from "../../scripted-broker.ts";
import { ACCOUNT, ES, MemoryViews, position } from "../../lane-kit.ts";

let broker: ScriptedBroker;
let views: MemoryViews;
let added: number;
let corrected: Fill[];
let projector: AccountProjector;
/** Undefined once the account's connection is another process's. */
let owned: AccountBroker | undefined;
let errors: unknown[];
/** Every wait that is under way, with the function that ends it. */
let waits: { ms: number; end: () => void }[];

const waitFor: WaitFor = (ms, onWake) =>
  new Promise((resolve) => {
    waits.push({ ms, end: resolve });
    onWake(resolve);
  });

beforeEach(() => {
  broker = new ScriptedBroker();
  views = new MemoryViews();
  [errors, waits] = [[], []];
  const onError = (error: unknown) => errors.push(error);
  owned = { broker, epoch: 1 };
  added = 0;
  corrected = [];
  projector = new AccountProjector({
    views,
    brokerOf: () => owned,
    waitFor,
    onNews: () => (added += 1),
    onCorrected: (_account, one) => corrected.push(one),
    onError,
  });
});

const fill = (id: string): Fill => ({
  execId: execId(id),
  orderId: orderId("7"),
  clOrdId: clOrdId("i1-1"),
  contract: ES,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(4_000),
  transactTimeAt: 1,
});

function report(id: string): void {
  const order = broker.show({ orderId: orderId("7") });
  projector.onReport(ACCOUNT, { execType: "TRADE", order, fill: fill(id) });
}

/** Holds every write back until the returned function is called. */
function holdWrites(): () => void {
  let release: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => (release = resolve));
  views.onWrite = async () => await opened;
  return release;
}

test("a fill writes the fill and the positions as they are then", async () => {
  broker.held = [position(1)];
  report("e1");
  await projector.upToDate(ACCOUNT);
  expect(views.addedFills).toEqual(["e1"]);
  expect(views.saved).toEqual([[position(1)]]);
});

test("who copies hears of fills that were not known before, and of no others", async () => {
  report("e1");
  await projector.upToDate(ACCOUNT);
  expect(added).toBe(1);
  await projector.project(ACCOUNT, [fill("e1")]);
  expect(added).toBe(1);
  await projector.project(ACCOUNT, [fill("e1"), fill("e2")]);
  expect(added).toBe(2);
});

test("a report without a fill writes nothing", async () => {
  const order = broker.show({ orderId: orderId("7") });
  projector.onReport(ACCOUNT, { execType: "NEW", order });
  await projector.upToDate(ACCOUNT);
  expect(views.saved).toEqual([]);
});

test("a burst of fills costs two writes, and the second one shows the last of them", async () => {
  const release = holdWrites();
  report("e1");
  for (let n = 2; n <= 50; n += 1) {
    broker.held = [position(n)];
    report(`e${n}`);
  }
  release();
  await projector.upToDate(ACCOUNT);
  expect(views.saved).toHaveLength(2);
  expect(views.saved.at(-1)).toEqual([position(50)]);
  expect(new Set(views.addedFills).size).toBe(50);
});

test("up to date waits for everything that was reported before", async () => {
  const release = holdWrites();
  report("e1");
  report("e2");
  let isUpToDate = false;
  const done = projector.upToDate(ACCOUNT).then(() => (isUpToDate = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect(isUpToDate).toBe(false);
  release();
  await done;
  expect(views.addedFills).toEqual(["e1", "e2"]);
});

test("what was reported has left for the store with the last write that it is in", async () => {
  const release = holdWrites();
  expect(projector.hasSent(ACCOUNT)).toBe(true);
  report("e1");
  expect(projector.hasSent(ACCOUNT)).toBe(false);
  await new Promise((resolve) => setImmediate(resolve));
  expect(projector.hasSent(ACCOUNT)).toBe(true);
  report("e2");
  await new Promise((resolve) => setImmediate(resolve));
  expect(projector.hasSent(ACCOUNT)).toBe(false);
  release();
  await projector.upToDate(ACCOUNT);
  expect(projector.hasSent(ACCOUNT)).toBe(true);
});

test("a long list of fills goes in parts, and has left once it is written", async () => {
  const release = holdWrites();
  const fills = Array.from({ length: FEW_FILLS + 1 }, (_, n) => fill(`e${n}`));
  const written = projector.project(ACCOUNT, fills);
  await new Promise((resolve) => setImmediate(resolve));
  expect(projector.hasSent(ACCOUNT)).toBe(false);
  release();
  await written;
  expect(projector.hasSent(ACCOUNT)).toBe(true);
});

test("nothing to write is up to date at once", async () => {
  await projector.upToDate(ACCOUNT);
  expect(views.saved).toEqual([]);
});

test("up to date is not waited for longer than half a second", async () => {
  holdWrites();
  report("e1");
  let isOver = false;
  const done = projector.upToDate(ACCOUNT).then(() => (isOver = true));
  await new Promise((resolve) => setImmediate(resolve));
  expect([isOver, waits.map(({ ms }) => ms)]).toEqual([false, [500]]);
  waits[0]?.end();
  await done;
});

describe("a write that fails", () => {
  /** Ends the wait before the next try, and lets the try be made. */
  async function tryAgain(): Promise<void> {
    const [retry] = waits.splice(0).filter(({ ms }) => ms === 1_000);
    retry?.end();
    await new Promise((resolve) => setImmediate(resolve));
  }

  test("is told, and tried again by itself until it is done", async () => {
    let failures = 2;
    views.onWrite = () => {
      failures -= 1;
      if (failures >= 0) throw new Error("Redis is away");
    };
    report("e1");
    await projector.upToDate(ACCOUNT);
    await tryAgain();
    expect(errors).toHaveLength(2);
    await tryAgain();
    expect(views.addedFills).toEqual(["e1"]);
    expect(views.saved).toHaveLength(1);
    expect(errors).toHaveLength(2);
  });

  test("everywhere at once is one error, and leaves none unhandled", async () => {
    views.onWrite = () => {
      throw new Error("Redis is away");
    };
    report("e1");
    await projector.upToDate(ACCOUNT);
    await new Promise((resolve) => setImmediate(resolve));
    expect(errors).toHaveLength(1);
  });

  test("for a broker that cannot be read still writes the fills", async () => {
    broker.unreadable = new BrokerReadError("The session is gone");
    report("e1");
    await projector.upToDate(ACCOUNT);
    expect([views.addedFills, views.saved]).toEqual([["e1"], []]);
    broker.unreadable = undefined;
    await tryAgain();
    expect(views.saved).toHaveLength(1);
  });

  test("for an account that is owned no more is left to its next owner", async () => {
    owned = undefined;
    report("e1");
    await projector.upToDate(ACCOUNT);
    expect(views.addedFills).toEqual(["e1"]);
    expect([errors, waits.filter(({ ms }) => ms === 1_000)]).toEqual([[], []]);
  });
});

test("positions that were read before another owner came are not shown, their fills are", async () => {
  const positions = broker.positions.bind(broker);
  broker.positions = async () => {
    const held = await positions();
    // Its successor begins while the answer is on its way; this process may come back after it.
    views.epoch = 2;
    owned = { broker, epoch: 3 };
    return held;
  };
  report("e1");
  await projector.upToDate(ACCOUNT);
  expect([views.addedFills, views.saved]).toEqual([["e1"], []]);
});

describe("fills that were read", () => {
  test("are written with the positions as they are after that", async () => {
    broker.held = [position(1)];
    const projection = await projector.project(ACCOUNT, [fill("e1")]);
    expect(projection).toMatchObject({
      news: ["e1"],
      positions: [position(1)],
      missedFills: 1,
    });
    expect(views.saved).toEqual([[position(1)]]);
  });

  test("count as missed only when no report told of them and they were not known", async () => {
    report("live");
    await projector.upToDate(ACCOUNT);
    const release = holdWrites();
    report("e1");
    report("e2");
    const projecting = projector.project(ACCOUNT, ["live", "e1", "e2", "e3"].map(fill));
    release();
    expect((await projecting).missedFills).toBe(1);
    expect(views.filledNet.get(ES)).toBe(4);
  });

  test("are one command together with the positions", async () => {
    await projector.project(ACCOUNT, [fill("e1"), fill("e2")]);
    expect(views.writes).toBe(1);
  });

  test("that were written before are not sent to the store again, until it may have lost them", async () => {
    const sent: string[][] = [];
    const { recordFills } = views;
    const noted: typeof recordFills = async (account, fills, read) => {
      sent.push(fills.map(({ execId }) => execId));
      return await recordFills(account, fills, read);
    };
    Object.assign(views, { recordFills: noted });
    await projector.project(ACCOUNT, [fill("e1"), fill("e2")]);
    await projector.project(ACCOUNT, [fill("e1"), fill("e2"), fill("e3")]);
    projector.forget();
    await projector.project(ACCOUNT, [fill("e1"), fill("e3")]);
    expect(sent).toEqual([["e1", "e2"], ["e3"], ["e1", "e3"]]);
  });

  test.each(["broker", "store"])("fail with the %s, and are not tried again", async (which) => {
    const gone = new BrokerReadError("gone");
    if (which === "broker") broker.unreadable = gone;
    else {
      views.onWrite = () => {
        throw gone;
      };
    }
    await expect(projector.project(ACCOUNT, [fill("e1")])).rejects.toBe(gone);
    expect([errors, waits]).toEqual([[], []]);
  });

  test("that fail with a report leave the report to be tried again", async () => {
    views.onWrite = () => {
      throw new Error("Redis is away");
    };
    report("e1");
    const projecting = projector.project(ACCOUNT, [fill("e2")]);
    await expect(projecting).rejects.toThrow("Redis is away");
    views.onWrite = () => undefined;
    const retries = waits.filter(({ ms }) => ms === 1_000);
    expect(retries).toHaveLength(1);
    retries[0]?.end();
    await new Promise((resolve) => setImmediate(resolve));
    expect(views.addedFills).toEqual(["e1"]);
  });
});

describe("a fill that its broker takes back", () => {
  const busted = { ...fill("e1"), takenBack: true } as const;

  test("is written again although it was written before, once, and said once", async () => {
    report("e1");
    await projector.upToDate(ACCOUNT);
    for (const execType of ["TRADE_CANCEL", "TRADE_CANCEL"] as const) {
      projector.onReport(ACCOUNT, { execType, order: {} as OrderReport, fill: busted });
      await projector.upToDate(ACCOUNT);
    }
    expect(views.filledNet.get(ES)).toBe(0);
    expect(corrected).toEqual([busted]);
    expect(added).toBe(2);
  });

  test("while nothing was heard is found by what is read, and is no missed fill", async () => {
    await projector.project(ACCOUNT, [fill("e1")]);
    const projection = await projector.project(ACCOUNT, [busted]);
    expect(projection).toMatchObject({ news: ["e1"], missedFills: 0 });
    expect(corrected).toEqual([busted]);
  });
});
