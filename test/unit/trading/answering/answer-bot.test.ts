import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, userId } from "../../../../src/domain/ids.ts";
import type { DestinationId } from "../../../../src/domain/notify/destination.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { isListening } from "../../../../src/trading/answering/who-asks.ts";
import type {
  AnswerStore,
  BegunAct,
  BotChats,
  BotId,
  Incoming,
  Offer,
  Reply,
} from "../../../../src/trading/answering/ports.ts";
import type { Settled } from "../../../../src/trading/orders/order-uses.ts";
import { waitUntil } from "../../../support/wait.ts";
import {
  account,
  type AnswersKit,
  createAnswersKit,
  destinationOf,
  holding,
} from "./answers-kit.ts";

const BOT = "bot" as BotId;
const ME = 5;

let kit: AnswersKit;
let offers: Map<string, Offer>;
let begun: Map<string, BegunAct>;
/** What stands in the chat, by message. */
let chat: Reply[];
let toasts: (string | undefined)[];
let strangersAnswered: Promise<void>;
let [isSilent, isEditLost] = [false, false];

const store: AnswerStore = {
  hold: async () => true,
  release: async () => undefined,
  nextUpdate: async () => undefined,
  take: async () => true,
  offer: async (_, nonce, offer) => void offers.set(`${offer.destinationId} ${nonce}`, offer),
  begin: async (_, { destinationId, nonce }, messageId) => {
    const offer = offers.get(`${destinationId} ${nonce}`);
    if (offer === undefined) return undefined;
    offers.delete(`${destinationId} ${nonce}`);
    begun.set(nonce, { nonce, offer, messageId });
    return offer;
  },
  keepOutcome: async (_, nonce, outcome) => {
    const act = begun.get(nonce);
    if (act !== undefined) begun.set(nonce, { ...act, outcome });
  },
  end: async (_, nonce) => void begun.delete(nonce),
  begun: async () => [...begun.values()],
};

const chats: BotChats = {
  send: async (_, reply) => {
    if (isSilent) return undefined;
    chat.push(reply);
    return chat.length - 1;
  },
  sendOnce: async (_, reply) => {
    chat.push(reply);
    await strangersAnswered;
  },
  edit: async (_, id, reply) => {
    if (isSilent || isEditLost) return false;
    chat[id] = reply;
    return true;
  },
  answerPress: async (_, words) => void toasts.push(words),
};

beforeEach(() => {
  kit = createAnswersKit({ store, bot: BOT, person: ME });
  [offers, begun, chat, toasts] = [new Map(), new Map(), [], []];
  [isSilent, isEditLost] = [false, false];
  strangersAnswered = Promise.resolve();
});

const place = { chatId: String(ME), personId: String(ME), isPrivate: true };

const tell = async (incoming: Incoming) =>
  await kit.answers.handle({ bot: BOT, chats, requestId: "telegram-1" }, incoming);
const write = async (text: string, from: Partial<typeof place> = {}) =>
  await tell({ ...place, ...from, kind: "message", at: Date.now(), text });
const press = async (data: string, from: Partial<typeof place> = {}) =>
  await tell({ ...place, ...from, kind: "press", pressId: "p", messageId: chat.length - 1, data });
const button = () => chat.at(-1)?.button?.data ?? "";
const said = () => [chat.at(-1)?.title, ...(chat.at(-1)?.lines ?? [])].join("\n");

const never = async () => await new Promise<never>(() => undefined);

describe("who is not answered", () => {
  test.each([
    ["another person in the same chat", { personId: "6" }],
    ["the same person in another chat", { chatId: "7" }],
    ["a group", { isPrivate: false }],
  ])("%s", async (_, from) => {
    await write("/status", from);
    await write("/kill", from);
    expect(chat).toEqual([]);
    expect(kit.ignored.count).toBe(2);
  });

  test.each([
    ["a destination that does not answer", { answers: undefined }],
    ["one that is switched off", { disabled: { reason: "x", at: 1 } }],
  ])("%s", async (_, changed) => {
    const [one = destinationOf(ME)] = kit.destinations;
    const { answers: __, ...rest } = one.destination;
    const answers = "answers" in changed ? {} : { answers: true as const };
    const disabled = "disabled" in changed ? { disabled: changed.disabled } : {};
    kit.destinations[0] = { ...one, destination: { ...rest, ...answers, ...disabled } };
    await write("/status");
    expect(chat).toEqual([]);
  });

  test("a person whom two users have linked: it is not certain whose accounts are meant", async () => {
    const other = destinationOf(ME, "ds_2");
    kit.destinations.push({
      ...other,
      destination: { ...other.destination, userId: userId("u_2") },
    });
    await write("/kill");
    expect(chat).toEqual([]);
  });
});

test.each([
  ["one that waits for a link", { link: { hash: "x", until: 100 } }, 99, true],
  ["one whose link is too old", { link: { hash: "x", until: 100 } }, 100, false],
  ["one without a person", {}, 1, false],
])("%s is asked or not", (_, more, now, is) => {
  const { person: __, ...rest } = destinationOf(ME);
  expect(isListening({ ...rest, ...more }, now)).toBe(is);
});

describe("a link", () => {
  const code = "the-code-itself";
  beforeEach(() => {
    const { person: _, settings: __, ...rest } = destinationOf(ME);
    const link = { hash: `hash of ${code}`, until: Date.now() + 1_000, mayAsk: true } as const;
    kit.destinations[0] = { ...rest, settings: { botToken: "sealed" }, link };
  });

  test("stores who sent the code, and where", async () => {
    await write(`/start ${code}`);
    expect(kit.destinations[0]).toMatchObject({ person: "5", settings: { chatId: "5" } });
    expect(kit.destinations[0]?.link).toBeUndefined();
    expect(said()).toContain("Linked");
    await write(`/start ${code}`, { chatId: "6", personId: "6" });
    expect(kit.destinations[0]).toMatchObject({ person: "5" });
  });

  test.each([
    ["wrong", "another-code", 0],
    ["too old", code, 2_000],
  ])("that is %s is refused with the same words", async (_, given, laterMs) => {
    const now = Date.now() + laterMs;
    kit.clock.now = () => now;
    await write(`/start ${given}`);
    expect(said()).toContain("This code is not valid");
    expect(kit.destinations[0]?.person).toBeUndefined();
  });

  test("is tried five times in a chat, also with the right code", async () => {
    for (let n = 0; n < 5; n += 1) await write("/start no-such-code");
    await write(`/start ${code}`);
    expect(chat).toHaveLength(5);
    expect(kit.destinations[0]?.person).toBeUndefined();
    await write(`/start ${code}`, { chatId: "8", personId: "8" });
    expect(kit.destinations[0]?.person).toBe("8");
  });

  test("that is wrong is answered twenty times a minute for all chats, and waited for by nobody", async () => {
    strangersAnswered = never();
    for (let n = 0; n < 30; n += 1) await write("/start no-such-code", { chatId: `c${n}` });
    expect(chat).toHaveLength(20);
    await write(`/start ${code}`);
    expect(said()).toContain("Linked");
  });

  test("that a key made which may not ask only tells there", async () => {
    const [one = destinationOf(ME)] = kit.destinations;
    const link = { hash: `hash of ${code}`, until: Date.now() + 1_000 };
    kit.destinations[0] = { ...one, link, person: "4" };
    await write(`/start ${code}`);
    expect(kit.destinations[0]?.settings["chatId"]).toBe("5");
    expect(kit.destinations[0]?.person).toBeUndefined();
    expect(said()).toContain("Questions are not answered");
    await write("/status");
    expect(chat).toHaveLength(1);
  });

  test("of a second user is refused in words, and changes nothing for the first", async () => {
    const first = destinationOf(ME, "ds_0");
    const before = { ...first, destination: { ...first.destination, userId: userId("u_2") } };
    kit.destinations.push(before);
    const [waiting] = kit.destinations;
    await write(`/start ${code}`);
    expect(said()).toContain("already answers you for another user");
    expect(kit.destinations).toEqual([waiting, before]);
    await write("/help");
    expect(said()).toContain("What you can ask");
  });

  test("counts in a private chat only", async () => {
    await write(`/start ${code}`, { isPrivate: false });
    expect(kit.destinations[0]?.person).toBeUndefined();
  });
});

describe("a button", () => {
  beforeEach(async () => {
    kit.hold({ ES: 2 });
    await write("/flatten one");
  });

  test("sends nothing but a nonce of at most 64 bytes", () => {
    expect(button()).toMatch(/^[\w-]{16,64}$/);
    expect(said()).toContain("One: long 2 ES");
  });

  test("flattens once, under a key of its own", async () => {
    const nonce = button();
    await Promise.all([press(nonce), press(nonce)]);
    expect([kit.flattened, kit.keys]).toEqual([["one"], [`telegram:${nonce}`]]);
    expect(said()).toContain("closed long 2 ES");
    expect(begun.size).toBe(0);
    expect(chat.at(-1)?.button).toBeUndefined();
  });

  test.each([
    ["another person", { personId: "6" }],
    ["another chat", { chatId: "6" }],
    ["a group", { isPrivate: false }],
  ])("does nothing for %s, and stays", async (_, from) => {
    const nonce = button();
    await press(nonce, from);
    expect([kit.flattened, toasts]).toEqual([[], []]);
    await press(nonce);
    expect(kit.flattened).toEqual(["one"]);
  });

  test("of another destination does nothing", async () => {
    const nonce = button();
    const other = destinationOf(6, "ds_2");
    kit.destinations.push(other);
    await press(nonce, { chatId: "6", personId: "6" });
    expect(kit.flattened).toEqual([]);
    expect(toasts).toEqual([expect.stringContaining("Nothing was done")]);
  });

  test("that was made for somebody who is linked no more does nothing", async () => {
    const nonce = button();
    const key = `ds_1 ${nonce}`;
    const offer = offers.get(key);
    if (offer !== undefined) offers.set(key, { ...offer, personId: "4" });
    await press(nonce);
    expect([kit.flattened, begun.size]).toEqual([[], 0]);
  });

  test.each(["", "x", "flatten one", "../../etc", "a".repeat(65), "x".repeat(24)])(
    "that nobody made does nothing: %j",
    async (data) => {
      await press(data);
      expect(kit.flattened).toEqual([]);
      expect(toasts).toEqual([expect.stringContaining("Nothing was done")]);
    },
  );

  test.each([{ ES: 3 }, { ES: -2 }, { NQ: 2 }, { ES: 2, NQ: 1 }, {}])(
    "asks again where %j is held by then",
    async (held) => {
      kit.hold(held);
      await press(button());
      expect(kit.flattened).toEqual([]);
      expect(said()).toContain("The position has changed");
    },
  );

  test("is nobody's once answers are switched off", async () => {
    const nonce = button();
    const [one = destinationOf(ME)] = kit.destinations;
    const { answers: _, ...destination } = one.destination;
    kit.destinations[0] = { ...one, destination };
    await press(nonce);
    expect([kit.flattened, toasts]).toEqual([[], []]);
  });
});

const fails = async () => {
  throw new Error("with a secret");
};

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
    kit.gateway.readOverview = never;
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
    kit.gateway.readOverview = never;
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
    isSilent = true;
    await press(button());
    await kit.answers.tellLeft({ bot: BOT, chats });
    expect([kit.flattened, begun.size]).toEqual([["one"], 1]);
    isSilent = false;
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
      [isEditLost, isSilent] = [true, isLate];
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
      readOverview: reading,
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

describe("a clock that is far from Telegram's", () => {
  const ask = async (heardAt?: number) => {
    const heard = heardAt === undefined ? {} : { heardAt };
    await tell({ ...place, kind: "message", at: Date.now(), text: "/kill", ...heard });
  };

  test.each([180_000, -180_000])("by %i ms is said to differ", async (by) => {
    kit.clock.now = () => Date.now() + by;
    await ask();
    expect(said()).toContain("the gateway's clock and Telegram's differ");
    expect(button()).toBe("");
  });

  test("does not keep from acting what Telegram says is new", async () => {
    kit.clock.now = () => Date.now() + 180_000;
    await ask(Date.now());
    expect(said()).toContain("The gateway's clock and Telegram's are 3 min apart");
    await press(button());
    expect(kit.switched).toHaveLength(1);
  });

  test("does not make new what is old by Telegram's", async () => {
    await ask(Date.now() + 180_000);
    expect(said()).toMatch(/That was asked (2|3) min ago/);
  });
});

test("accounts that look the same are told apart, and `$` is a letter like any other", async () => {
  const live = account("one", { name: "Main $& 1", environment: "live" });
  const demo = account("two", { name: "Main $& 1" });
  kit.accounts.splice(0, 1, live, demo);
  kit.positions.push(holding(live, "ES", 2), holding(demo, "ES", 2));
  await write("/positions");
  expect(said()).toMatch(/Main \$& 1 \(live\): long 2 ES[^]*Main \$& 1 \(demo\): long 2 ES/);
  await write("/flatten main $& 1 (live)");
  expect(said()).toContain("Flatten Main $& 1 (live)?");
  await press(button());
  expect(kit.flattened).toEqual(["one"]);
});

test("what is paused, not looked at or without a price is said", async () => {
  const setup = { name: "Prop", paused: true, settings: {}, secrets: {} };
  const connectionId = account("one").connectionId;
  kit.gateway.listConnections = async () => [
    { connectionId, broker: "paper", environment: "demo", status: "DISCONNECTED", since: 1, setup },
  ];
  await write("/status");
  expect(said()).toContain("Connections: 1 of 1 up, 1 paused");
  const figures = { currency: "USD", areFeesExpected: false, unfeedQty: 0, isEstimated: false };
  kit.accounts.push(account("two"));
  kit.gateway.readAllMoney = async () => [
    {
      account: { ...account("one"), connectionStatus: "CONNECTED" },
      tradingDay: "2026-11-26",
      balances: [],
      asOf: 1,
      pricesMissing: "no data plan",
      figures: [{ ...figures, unpriced: ["ES" as ContractCode] }],
      marks: [],
    },
  ];
  await write("/pnl");
  expect(said()).toContain("Only 1 of 2 accounts");
  expect(said()).toContain("open not known; no price for ES (no data plan)");
});

test("the number of an account is told by its end", async () => {
  const long = account("TV-9988776655", { name: "APEX-1234567-01", number: "9988776655" });
  kit.accounts[0] = long;
  kit.gateway.readOverview = async () => ({
    asOf: Date.now(),
    connections: { total: 1, connected: 0 },
    killSwitch: { active: false, accounts: 0 },
    unknownOutcomes: 0,
    unprotectedPositions: 0,
    holdings: [holding(long, "ES", 1, { live: false, asOf: Date.now() - 300_000 })],
    waiting: 0,
    troubles: [
      {
        kind: "waiting",
        cause: "waiting",
        severity: "warning",
        accountId: accountId("TV-9988776655"),
        message: "APEX-1234567-01 (TV-9988776655) waits",
        advice: "Look at 9988776655",
      },
    ],
    alerts: { minutes: [], latenciesMs: [] },
  });
  await write("/status");
  await write("/positions");
  await write("/flatten 6655");
  const all = chat.flatMap(({ title, lines }) => [title, ...lines]).join("\n");
  expect(all).not.toMatch(/1234567|88776655/);
  expect(all).toContain("As of 5 min ago");
});
