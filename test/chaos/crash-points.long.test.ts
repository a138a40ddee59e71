// The goal: at whichever step a process dies, an intent has one order or says truly why not, no exit is
// lost, and who asks again hears of the first. The method: of two processes one dies at a named step of
// an intent that was begun as it was accepted, or of one that went by its lane; the other goes on.
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import type { Request } from "./ask.ts";
import { collect, untilQuiet } from "./collect.ts";
import { until } from "./faults-done.ts";
import { CrashPair, type LeftBehind, type Roles } from "./crash-pair.ts";
import {
  AHEAD_POINTS,
  type CrashPoint,
  INGRESS_POINTS,
  LANE_POINTS,
  NEXT_POINTS,
} from "./crash-points.ts";
import { NOTHING_GUARDED } from "./invented-history.ts";
import { judge } from "./invariants.ts";
import { type Attempt, isToldDone } from "./ledger.ts";
import type { Member } from "./member.ts";
import type { PlannedCall } from "./wishes.ts";

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** On a busy machine a run ahead has often waited too long, and its intent goes by the lane. */
const MOST_TRIES = 50;
const MOST_REPEATS = 20;
const ASKS_AGAIN_MS = 500;
const ANSWERED_WITHIN_MS = 30_000;
/** Who was answered may be so by another process than the one that is to die. */
const DIES_WITHIN_MS = 1_500;
/** So long an order is in hand, where others are to come behind it. */
const SLOW_MS = 1_000;

interface Kind {
  readonly name: string;
  readonly isExit: boolean;
  readonly via: PlannedCall["via"];
  /** The nth of the account. */
  readonly request: (pair: CrashPair, account: string, nth: number) => Request;
}

const BUY = { action: "buy", qty: 1, symbol: "MES1!" };
const hook = (path: string, body: object): Request => ({ method: "POST", path, body });
const AN_ORDER: Kind = {
  name: "an order by /v1",
  isExit: false,
  via: "api",
  request: (_, account, nth) => ({
    method: "POST",
    path: `/v1/accounts/${account}/orders`,
    body: BUY,
    key: `${account}-${nth}`,
  }),
};
const KINDS: readonly Kind[] = [
  {
    name: "an alert",
    isExit: false,
    via: "webhook",
    request: (pair, account, nth) =>
      hook(pair.hookOf(account), { ...BUY, alertId: `alert ${nth}` }),
  },
  AN_ORDER,
  {
    name: "an exit",
    isExit: true,
    via: "webhook",
    request: (pair, account, nth) =>
      hook(pair.hookOf(account), { action: "close", alertId: `exit ${nth}` }),
  },
];

interface Scene {
  readonly pair: CrashPair;
  readonly kind: Kind;
  readonly point: CrashPoint;
  readonly isAhead: boolean;
}

/** What a process left when it died, and who goes on. */
interface Death {
  readonly account: string;
  readonly requests: readonly Request[];
  /** The callers' answers, in the same order. */
  readonly attempts: readonly Attempt[];
  readonly left: readonly LeftBehind[];
  readonly roles: Roles;
}

/** Asks on one account after another, until a process dies at the point. */
async function dieAt(scene: Scene): Promise<Death> {
  for (let tries = 0; tries < MOST_TRIES; tries += 1) {
    const death = await tryToDie(scene);
    if (death !== undefined) return death;
  }
  throw new Error(`Nothing came to ${scene.point}`);
}

async function tryToDie(scene: Scene): Promise<Death | undefined> {
  const { pair, kind, point, isAhead } = scene;
  const account = await pair.newAccount();
  const { owner, other } = await pair.roles();
  if (kind.isExit) await pair.ask(owner, AN_ORDER.request(pair, account, 0));
  const taker = isAhead ? owner : other;
  const dying = point === "accepted-not-answered" ? taker : owner;
  const { processId = "" } = dying;
  await pair.order(dying, { point, nth: 1, isAhead });
  const requests = requestsOf(scene, account);
  const asking =
    requests.length === 1 ? askAll(pair, taker, requests) : askBehind(pair, taker, requests);
  let isAnswered = false;
  void asking.then(() => (isAnswered = true));
  await until(() => !dying.isRunning || isAnswered, ANSWERED_WITHIN_MS);
  await until(() => !dying.isRunning, DIES_WITHIN_MS);
  if (dying.isRunning) await pair.order(dying, { point: "none", nth: 0 });
  // On a busy machine it may have come to the point before it heard that it need not die.
  if (dying.isRunning) return undefined;
  const left = await pair.storedOf(account, processId);
  const roles = await pair.mourn(dying);
  return { account, requests, attempts: await asking, left, roles };
}

/** Where one is taken after another, an exit comes behind an order. */
function requestsOf({ pair, kind, point }: Scene, account: string): readonly Request[] {
  if (point !== "next-taken") return [kind.request(pair, account, 1)];
  const first = kind.isExit ? AN_ORDER : kind;
  return [
    first.request(pair, account, 1),
    ...[2, 3].map((nth) => kind.request(pair, account, nth)),
  ];
}

const askAll = async (
  pair: CrashPair,
  taker: Member,
  requests: readonly Request[],
): Promise<readonly Attempt[]> =>
  await Promise.all(requests.map((request) => pair.ask(taker, request)));

/** The first one is in hand until the others wait behind it. */
async function askBehind(
  pair: CrashPair,
  taker: Member,
  requests: readonly Request[],
): Promise<readonly Attempt[]> {
  const { broker, acceptances } = pair.cluster;
  const accepted = acceptances.length;
  await broker.delayAnswers(CrashPair.CONNECTION, SLOW_MS);
  try {
    const first = askAll(pair, taker, requests.slice(0, 1));
    await until(() => acceptances.length > accepted, ANSWERED_WITHIN_MS);
    const behind = askAll(pair, taker, requests.slice(1));
    return (await Promise.all([first, behind])).flat();
  } finally {
    await broker.delayAnswers(CrashPair.CONNECTION, 0);
  }
}

/** No byte may have left by then: it is proven never to have been sent. */
const UNSENT: ReadonlySet<CrashPoint> = new Set([
  "begun-not-heard",
  "sending-stored",
  "before-submit",
]);
const SENDING: ReadonlySet<CrashPoint> = new Set([
  ...UNSENT,
  "submit-sent",
  "submit-answered",
  "before-settle",
]);

const IN_HAND = { state: "PREPARED", isInHand: true };

/** The account's first intents as they stand in the store when the process has died. */
function expectedAt({ point, isAhead, kind }: Scene): readonly object[] {
  const begun = isAhead ? { isBegunAtOnce: true } : {};
  if (point === "begin-not-sent") return [];
  if (SENDING.has(point)) return [{ ...begun, state: "SENDING", isInHand: true }];
  if (point === "settled-not-told") return [{ ...begun, state: "DONE", isInHand: false }];
  // On a busy machine an exit is accepted before the order that it comes behind has left.
  const first = kind.isExit ? {} : { ...begun, state: "DONE" };
  if (point === "next-taken") return [{ ...first, isInHand: false }, IN_HAND];
  return point === "job-taken" ? [IN_HAND] : [{}];
}

/** The account's intents from the one that the point is about. */
function leftAt({ kind, point }: Scene, { left }: Death): readonly LeftBehind[] {
  // On a busy machine the first may have ended before another one came behind it.
  const inHand = left.findIndex(({ isInHand }) => isInHand);
  if (point === "next-taken") return left.slice(Math.max(0, inHand - 1));
  // What an exit closes was the first of its account.
  return kind.isExit ? left.slice(1) : left;
}

/** How it may end what was left so: a call of `/v1` waits neither for a connection nor for long. */
function endingsOf({ kind, point }: Scene, { state, via }: LeftBehind): readonly string[] {
  if (!kind.isExit && UNSENT.has(point)) return ["lost"];
  return state === "PREPARED" && via === "api" ? [...NOT_BEGUN, "done"] : ["done"];
}

/** On a busy machine its caller has stopped waiting, and takes back what was not begun. */
const NOT_BEGUN = ["notSent", "expired", "withdrawn"];

const toldIn = (answers: readonly Attempt[]) => answers.map(({ told }) => told.intentId ?? "");

/** How a scene came to its end. */
interface End {
  readonly wrong: readonly string[];
  /** Entries or, of an exit, closes that the broker took. */
  readonly orders: number;
  readonly held: number;
}

async function badEndings(scene: Scene, { account, left }: Death): Promise<string[]> {
  const { pair } = scene;
  const ends = await Promise.all(
    left.map(async (one) => [one, await pair.stateOf(account, one.intentId)] as const),
  );
  return ends
    .filter(([one, end]) => !endingsOf(scene, one).includes(end))
    .map(([{ intentId }, end]) => `${intentId} ended as ${end}`);
}

/** Each is asked again at once, and once more when all is settled. */
async function endOfEntries(scene: Scene, death: Death): Promise<End> {
  const { pair } = scene;
  const { account, requests, attempts, left, roles } = death;
  const again = await askAll(pair, roles.owner, requests);
  await pair.untilSettled(account);
  const wrong = await badEndings(scene, death);
  const stored = await pair.storedOf(account);
  const repeats = await askUntilDone(pair, roles.other, requests);
  const last = repeats.at(-1) ?? [];
  for (const [at, attempt] of attempts.entries()) {
    note(scene, account, [attempt, ...[again, ...repeats].flatMap((each) => each[at] ?? [])]);
  }
  const { sent, held } = await pair.atBroker(account);
  // What was not proven unsent is the same intent to whoever asks again; what was, is done anew.
  const stands = new Map(stored.map(({ intentId, state }) => [intentId, state === "DONE"]));
  for (const { intentId } of left) {
    const isSame = toldIn(last).includes(intentId);
    if (isSame !== stands.get(intentId)) wrong.push(`${intentId} is told: ${isSame}`);
  }
  const unknown = toldIn(again).filter((id) => !stands.has(id));
  const undone = last.filter((one) => !isToldDone(one)).map((one) => JSON.stringify(one));
  return { wrong: [...wrong, ...unknown, ...undone], orders: sent.length, held };
}

/** Asks once, and again while an answer comes before its end, as on a busy machine. */
async function askUntilDone(
  pair: CrashPair,
  taker: Member,
  requests: readonly Request[],
): Promise<readonly (readonly Attempt[])[]> {
  const asked = [await askAll(pair, taker, requests)];
  for (
    let tries = 1;
    tries < MOST_REPEATS && asked.at(-1)?.every(isToldDone) !== true;
    tries += 1
  ) {
    await sleep(ASKS_AGAIN_MS);
    asked.push(await askAll(pair, taker, requests));
  }
  return asked;
}

/** Nobody asks again, unless it was not accepted. */
async function endOfExit(scene: Scene, death: Death): Promise<End> {
  const { pair, kind, point } = scene;
  const { account, attempts, roles } = death;
  for (const attempt of attempts) note(scene, account, [attempt]);
  if (point === "begin-not-sent") {
    note(scene, account, [await pair.ask(roles.owner, kind.request(pair, account, 1))]);
  }
  await pair.untilSettled(account);
  const wrong = await badEndings(scene, death);
  const { sent, held } = await pair.atBroker(account);
  return { wrong, orders: sent.filter(({ op }) => op === "closePosition").length, held };
}

/** For the verdict on all of them. */
function note({ pair, kind }: Scene, account: string, attempts: readonly Attempt[]): void {
  const { via, isExit } = kind;
  const { calls } = pair;
  const wish: PlannedCall["wish"] = isExit
    ? { kind: "flatten" }
    : { kind: "order", action: "buy", qty: 1, type: "market", hasBracket: false };
  const number = calls.length + 1;
  const copies = attempts.length;
  const asked = { ingress: 0, copies, gapMs: 0, isNamed: true, isForOwner: true };
  calls.push({ plan: { number, atMs: 0, account: 0, via, ...asked, wish }, account, attempts });
}

/** What an order adds to an alert: it is known again by its key, and its caller waits. */
const ORDER_POINTS: ReadonlySet<CrashPoint> = new Set([
  "begin-not-sent",
  "begun-not-heard",
  "accepted-not-answered",
  "submit-sent",
  "next-taken",
]);
const BY_LANE = [
  ...INGRESS_POINTS,
  "job-taken",
  "sending-stored",
  ...LANE_POINTS,
  ...NEXT_POINTS,
] as const;
const WAYS: [string, boolean, readonly CrashPoint[]][] = [
  ["that is begun as it is accepted", true, AHEAD_POINTS],
  ["that goes by its lane", false, BY_LANE],
];

// Each has processes of its own, so that they need not wait for each other.
describe.concurrent.each(WAYS)("of an intent %s", (way, isAhead, points) => {
  let pair: CrashPair;
  beforeAll(async () => {
    const name = way.replaceAll(" ", "-");
    pair = await CrashPair.start(path.join(tmpdir(), `crash-points-${process.pid}-${name}.log`));
  });
  afterAll(() => pair.cluster.stop());

  const scenes = points.flatMap((point) =>
    KINDS.filter((kind) => kind !== AN_ORDER || ORDER_POINTS.has(point)).map(
      (kind) => [kind.name, point, kind] as const,
    ),
  );
  test.sequential.each(scenes)("%s: %s", async (_name, point, kind) => {
    const scene = { pair, kind, point, isAhead };
    const death = await dieAt(scene);
    const left = leftAt(scene, death);
    const expected = expectedAt(scene);
    expect(left.length > 0).toBe(expected.length > 0);
    expect(left.slice(0, expected.length)).toMatchObject(expected);
    const end = await (kind.isExit ? endOfExit : endOfEntries)(scene, death);
    const asked = death.requests.length;
    expect(end).toEqual(
      kind.isExit ? { wrong: [], orders: 1, held: 0 } : { wrong: [], orders: asked, held: asked },
    );
  });

  test.sequential("callers, store and broker tell the same of all of them", async () => {
    const { cluster, apiKey, calls } = pair;
    const watched = { cluster, apiKey, groups: [], strategies: [] };
    expect(await untilQuiet(watched, 60_000)).toBe(true);
    const history = await collect(watched, {
      calls,
      untilAt: Date.now(),
      faults: [],
      guarding: NOTHING_GUARDED,
    });
    expect(judge(history).filter(({ violations }) => violations.length > 0)).toEqual([]);
    expect(cluster.deaths).toEqual([]);
    process.stdout.write(`crash points, ${way}: ${pair.tries} tries for ${scenes.length} deaths\n`);
  });
});
