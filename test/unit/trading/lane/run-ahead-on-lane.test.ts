import { beforeEach, describe, expect, test } from "vitest";
import { intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { RunsAhead } from "../../../../src/trading/lane/run-ahead.ts";
import { type LaneStep, storeStep } from "../../../../src/trading/lane/run-intent.ts";
import type { NewIntent } from "../../../../src/trading/orders/ports.ts";
import { ACCOUNT, ES, KEY, type Lane, openLane, place, position, USER } from "../lane-kit.ts";

const ID = intentId("i1");

let lane: Lane;
/** What was accepted, in order: on the lane, or with its write-ahead. */
let accepted: string[];
/** How many commands the broker had when the intent was accepted. */
let commandsBefore: number;
/** Ends the wait for what is run ahead. */
let timeIsUp: () => void;

beforeEach(async () => {
  lane = await openLane();
  [accepted, commandsBefore] = [[], -1];
});

/** Submits an intent to a lane that rests; the answer is the lane's step. */
async function runAhead(intent: Intent): Promise<LaneStep | undefined> {
  let turn: Promise<LaneStep | undefined> | undefined;
  const note = (how: string) => {
    accepted.push(how);
    commandsBefore = lane.broker.commands.length;
  };
  const runs = new RunsAhead({
    takeTurn: (_account, _id, run) => {
      turn = run();
      return true;
    },
    acceptAndBegin: async (one, request) => {
      note("with its write-ahead");
      await lane.intents.accept(one);
      expect(await lane.intents.beginSending(request)).toEqual({ kind: "granted" });
      return { kind: "begun", acceptedAt: lane.intents.clock };
    },
    runIntent: lane.runIntent,
    processId: "process-1",
    waitFor: () => new Promise((resolve) => (timeIsUp = resolve)),
  });
  await runs.accept(asked(intent), async () => {
    note("on its lane");
    return { kind: "accepted" };
  });
  const step = await turn;
  if (step !== undefined) await storeStep(lane.intents, step);
  return step;
}

const asked = (intent: Intent): NewIntent => ({
  intentId: ID,
  accountId: ACCOUNT,
  userId: USER,
  requestId: "r1",
  source: { kind: "api", credentialId: KEY },
  intent,
  entryMaxAgeMs: 30_000,
  exitMaxAgeMs: 600_000,
  receivedAt: lane.intents.clock,
});

const SENDING: [string, Intent][] = [
  ["an order", place()],
  ["an order that rests", place({ ordType: "LIMIT", price: ticks(3_900) })],
  [
    "a protection",
    { kind: "PROTECT", contract: ES, levels: { stopLoss: { by: "price", price: ticks(3_900) } } },
  ],
  ["an exit of everything", { kind: "FLATTEN", cancelResting: true }],
  ["a cancel", { kind: "CANCEL", orderId: orderId("7") }],
];

describe("an intent that is run ahead", () => {
  test.each(SENDING)("ends as from its lane: %s", async (_what, intent) => {
    const prepare = (one: Lane) => {
      one.broker.held = [position(2)];
      one.broker.show({ orderId: orderId("7"), ordType: "LIMIT", price: ticks(3_000) });
    };
    const usual = await openLane();
    prepare(usual);
    const record = await usual.run(intent);

    prepare(lane);
    const step = await runAhead(intent);
    expect(step?.kind).toBe("done");
    expect(accepted).toEqual(["with its write-ahead"]);
    expect(commandsBefore).toBe(0);
    expect(lane.broker.commands).toEqual(usual.broker.commands);
    const ended: IntentRecord = lane.record(ID);
    expect(ended).toEqual(record);
    expect(lane.announced).toEqual(usual.announced);
    expect(lane.observed).toEqual(usual.observed);
  });

  const UNSENT: [string, () => Intent][] = [
    ["is denied", () => place({ orderQty: 11 })],
    ["has nothing to send", () => ({ kind: "FLATTEN", cancelResting: true })],
    [
      "cannot read the broker",
      () => {
        lane.broker.unreadable = new BrokerReadError("down");
        return place();
      },
    ],
    [
      "has no connection",
      () => {
        lane.setConnection(undefined);
        return place();
      },
    ],
    [
      "is another owner's",
      () => {
        lane.loseLanes();
        return place();
      },
    ],
  ];
  test("and whose broker answers too late asks it nothing more", async () => {
    const asked: string[] = [];
    const workingOrders = lane.broker.workingOrders.bind(lane.broker);
    const positions = lane.broker.positions.bind(lane.broker);
    lane.broker.workingOrders = async () => {
      asked.push("orders");
      timeIsUp();
      await new Promise((resolve) => setImmediate(resolve));
      return await workingOrders();
    };
    lane.broker.positions = async () => {
      asked.push("positions");
      return await positions();
    };
    expect(await runAhead(place())).toBeUndefined();
    expect(accepted).toEqual(["on its lane"]);
    for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect(asked).toEqual(["orders"]);
    expect([lane.broker.commands, lane.observed, lane.errors]).toEqual([[], [], []]);
  });

  test.each(UNSENT)("and %s leaves nothing, and is accepted on its lane", async (_why, prepare) => {
    expect(await runAhead(prepare())).toBeUndefined();
    expect(accepted).toEqual(["on its lane"]);
    expect(lane.intents.has(ACCOUNT, ID)).toBe(false);
    expect(lane.broker.commands).toEqual([]);
    expect([lane.announced, lane.observed, lane.errors]).toEqual([[], [], []]);
  });
});
