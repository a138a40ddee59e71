import { beforeEach, describe, expect, test } from "vitest";
import { accountId } from "../../../../src/domain/ids.ts";
import type { DestinationId } from "../../../../src/domain/notify/destination.ts";
import { GatewayError } from "../../../../src/errors.ts";
import type { Settled } from "../../../../src/trading/orders/order-uses.ts";
import { waitUntil } from "../../../support/wait.ts";
import { account, destinationOf, holding } from "./answers-kit.ts";
import {
  BOT,
  ME,
  store,
  chats,
  write,
  press,
  button,
  said,
  kit,
  begun,
  chat,
  faults,
  never,
  fails,
  offers,
  emptyChat,
} from "./bot-chat.ts";

beforeEach(emptyChat);

describe("an exit", () => {
  beforeEach(async () => {
    kit.accounts.push(account("two"));
    kit.positions.push(holding(account("one"), "ES", 2), holding(account("two"), "NQ", -1));
    await write("/flatten all");
  });

  test("asks no broker and waits for no other account", async () => {
    const flattened = kit.gateway.flattenAccount;
    const at = Date.now() + 20_000;
    const ages: number[] = [];
    kit.gateway.readStanding = never;
    kit.gateway.readPositions = never;
    kit.clock.now = () => at + ages.length;
    kit.gateway.flattenAccount = async (caller, id, ...more) => {
      ages.push(kit.clock.now() - caller.receivedAt);
      return id === accountId("two") ? await never() : await flattened(caller, id, ...more);
    };
    void press(button());
    await waitUntil("it is asked for", () => kit.flattened.length > 0);
    expect(kit.flattened).toEqual(["one"]);
    expect(ages[0]).toBe(0);
  });

  test("is offered by what the store knows while a broker is slow", async () => {
    kit.gateway.readStanding = never;
    kit.gateway.readWorkingOrders = never;
    await write("/flatten all");
    expect(said()).toMatch(/2 positions in 2 accounts:\nOne: long 2 ES\nTwo: short 1 NQ/);
    await press(button());
    expect(kit.flattened).toEqual(["one", "two"]);
  });

  test("says what it does, and to how many, before the list that is cut", async () => {
    const of = account("one", { name: "n".repeat(100) });
    kit.accounts[0] = of;
    kit.positions.push(...Array.from({ length: 50 }, (_, n) => holding(of, `C${n}`, 1)));
    await write("/flatten all");
    const { lines = [] } = chat.at(-1) ?? {};
    expect(lines[0]).toContain("Positions are closed at the market");
    expect(lines).toContain("52 positions in 2 accounts:");
    expect(lines.at(-1)).toMatch(/… and \d+ more positions/);
    expect(said().length).toBeLessThan(4_096);
  });

  test("is not carried out for somebody who may ask no more by then", async () => {
    const seen = kit.views.positions;
    kit.views.positions = async (id) => {
      const [one = destinationOf(ME)] = kit.destinations;
      const { answers: _, ...destination } = one.destination;
      kit.destinations[0] = { ...one, destination };
      return await seen(id);
    };
    await press(button());
    expect(kit.flattened).toEqual([]);
    expect(said()).toContain("Nothing was done");
    expect(begun.size).toBe(0);
  });
});

describe("what came of it", () => {
  const flattenedAs = async (end: () => Promise<Settled>) => {
    kit.hold({ ES: 2 });
    kit.gateway.flattenAccount = end;
    await write("/flatten all");
    await press(button());
    return said();
  };
  const settled = (outcome: object) => async () =>
    ({ record: { outcome }, replayed: false }) as unknown as Settled;

  test.each([
    [{ kind: "unknown", reason: "no answer" }, "not known (no answer)"],
    [{ kind: "rejected", reason: "closed market" }, "not closed (closed market)"],
    [{ kind: "expired", reason: "too late" }, "not closed (too late)"],
    [
      {
        kind: "done",
        result: {
          kind: "FLATTEN",
          closed: [],
          remaining: [{ contract: "ES", netQty: 2 }],
          remainingOrderIds: ["1"],
          problems: ["The broker refused"],
        },
      },
      "STILL HELD: long 2 ES; 1 orders remain; The broker refused",
    ],
  ])("%j is said as %s", async (outcome, words) => {
    expect(await flattenedAs(settled(outcome))).toContain(words);
  });

  test("what cannot be read is never said to be nothing", async () => {
    const nothing = { kind: "FLATTEN", closed: [], remaining: [], remainingOrderIds: [] };
    const result = { ...nothing, problems: ["Position 7 cannot be read"] };
    const words = await flattenedAs(settled({ kind: "done", result }));
    expect(words).toContain("Position 7 cannot be read");
    expect(words).not.toContain("nothing was held");
  });

  test.each([
    [new GatewayError("OUTCOME_UNKNOWN", "no answer"), "not known (no answer)"],
    [new GatewayError("BROKER_UNAVAILABLE", "down"), "not done (down)"],
    [new Error("with a secret"), "not known: the gateway failed"],
  ])("%s is said as %s", async (error, words) => {
    const text = await flattenedAs(async () => {
      throw error;
    });
    expect(text).toContain(words);
    expect(text).not.toContain("secret");
  });

  test("is said of what is not done first, of each, and of the others in number", async () => {
    const many = Array.from({ length: 50 }, (_, n) => account(`account-of-somebody-${n}`));
    kit.accounts.splice(0, 1, ...many);
    kit.positions.push(...many.map((one) => holding(one, "ES", 1)));
    const done = kit.gateway.flattenAccount;
    kit.gateway.flattenAccount = async (caller, id, ...more) => {
      if (id.endsWith("5")) throw new GatewayError("OUTCOME_UNKNOWN", "no answer ".repeat(90));
      const settle = settled({ kind: "rejected", reason: "closed market" });
      return id.endsWith("49") ? await settle() : await done(caller, id, ...more);
    };
    await write("/flatten all");
    await press(button());
    const { lines = [] } = chat.at(-1) ?? {};
    const short = lines
      .slice(0, 6)
      .map((line) => /(\d+): (not \w+)/.exec(line)?.slice(1).join(" "));
    expect(short).toEqual([...[5, 15, 25, 35, 45].map((n) => `${n} not known`), "49 not closed"]);
    expect(lines.at(-1)).toMatch(/… and \d+ more that are closed/);
    expect(said().length).toBeLessThan(4_096);
  });

  test("of what a process has begun that ended, is said to be unknown", async () => {
    kit.hold({ ES: 2 });
    await write("/flatten one");
    const nonce = button();
    await store.begin(BOT, { destinationId: "ds_1" as DestinationId, nonce }, chat.length - 1);
    await kit.answers.tellLeft({ bot: BOT, chats });
    expect(said()).toContain("not known");
    expect(begun.size).toBe(0);
  });

  test("is kept until it arrived, and then said once", async () => {
    kit.hold({ ES: 2 });
    await write("/flatten one");
    faults.isSilent = true;
    await press(button());
    await kit.answers.tellLeft({ bot: BOT, chats });
    expect([kit.flattened, begun.size]).toEqual([["one"], 1]);
    faults.isSilent = false;
    for (const _ of [1, 2]) await kit.answers.tellLeft({ bot: BOT, chats });
    expect(said()).toContain("closed long 2 ES");
    expect([chat.length, begun.size]).toEqual([1, 0]);
  });

  test("is said below where its message is gone, and not for ever", async () => {
    kit.hold({ ES: 2 });
    for (const isLate of [false, true]) {
      await write("/flatten one");
      await store.begin(BOT, { destinationId: "ds_1" as DestinationId, nonce: button() }, 0);
      const [[nonce, act] = ["", undefined]] = begun;
      if (act !== undefined) begun.set(nonce, { ...act, begunAt: isLate ? 0 : Date.now() });
      Object.assign(faults, { isEditLost: true, isSilent: isLate });
      await kit.answers.tellLeft({ bot: BOT, chats });
      expect(begun.size).toBe(0);
    }
    expect(chat.map(({ title }) => title)).toEqual([
      "Flatten One?",
      "The gateway was interrupted at this",
      "Flatten One?",
    ]);
  });

  test("is not said to be interrupted while it is at work", async () => {
    kit.hold({ ES: 2 });
    await write("/flatten one");
    const flattened = kit.neverEnd();
    const pressed = press(button());
    await flattened;
    await kit.answers.tellLeft({ bot: BOT, chats });
    expect(said()).toContain("Working on it");
    kit.end();
    await pressed;
    expect(said()).toContain("closed long 2 ES");
  });
});

describe("a kill switch", () => {
  test.each([
    ["/kill", [{ active: true }]],
    ["/kill one", [{ active: true, accountId: "one" }]],
    ["/pause one", [{ active: true, accountId: "one" }]],
    ["/pause all", [{ active: true }]],
  ])("%s is switched on once it is pressed", async (text, switched) => {
    await write(text);
    expect(kit.switched).toEqual([]);
    await press(button());
    expect(kit.switched).toMatchObject(switched);
    expect(said()).toContain(": on");
  });

  test.each([
    ["is slow", never],
    ["fails", fails],
  ])("is offered where reading %s", async (_, reading) => {
    Object.assign(kit.gateway, {
      readStanding: reading,
      readPositions: reading,
      readWorkingOrders: reading,
    });
    for (const text of ["/kill", "/pause one"]) {
      await write(text);
      expect(said()).toContain("What is held cannot be shown now");
      await press(button());
    }
    expect(kit.switched).toHaveLength(2);
  });

  test("waits for no position: a market that moves must not hold it up", async () => {
    kit.hold({ ES: 1 });
    await write("/kill");
    kit.hold({ ES: 5 });
    await press(button());
    expect(kit.switched).toHaveLength(1);
  });

  test("is never switched off, and nothing that could do it is there", async () => {
    const asked = ["/kill off", "/pause one off", "/resume", "/kill one off"];
    for (const text of asked) await write(text);
    expect(chat.every((reply) => reply.button === undefined)).toBe(true);
    expect([...offers.values()]).toEqual([]);
  });
});
