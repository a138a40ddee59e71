import { Redis } from "ioredis";
import { WebSocket } from "ws";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import { beginSending } from "../../src/store/intents/begin-sending.ts";
import { decideEvaluation } from "../../src/store/strategies/decide-evaluation.ts";
import { endEvaluation } from "../../src/store/strategies/end-evaluation.ts";
import { fenceAccount } from "../../src/store/connections/fence-account.ts";
import { forgetCopied } from "../../src/store/copying/forget-copied.ts";
import { settleIntent } from "../../src/store/intents/settle-intent.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { takeSlot } from "../../src/store/strategies/take-slot.ts";
import type { CrashOrder, CrashPoint } from "./crash-points.ts";

interface SentCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly promise: Promise<unknown>;
}

let order: CrashOrder = { point: "none", nth: 0 };

const scripts = new Map<string, string>([
  ...Object.entries(laneScripts).map(([name, { sha1 }]) => [sha1, name] as const),
  [beginSending.sha1, "beginSending"],
  [settleIntent.sha1, "settleIntent"],
  [fenceAccount.sha1, "fenceAccount"],
  [forgetCopied.sha1, "forgetCopied"],
  [takeSlot.sha1, "takeSlot"],
  [decideEvaluation.sha1, "decideEvaluation"],
  [endEvaluation.sha1, "endEvaluation"],
]);

const ACCEPTS: ReadonlySet<string> = new Set(["acceptAlert", "acceptIntent"]);
const SETTLES: ReadonlySet<string> = new Set(["finishIntent", "settleIntent"]);

/** The process is killed the `nth` time that it comes to the point. */
export function obey(next: CrashOrder): void {
  order = next;
}

/** Hooks the points that are steps at Redis into every connection of this process. */
export function hookRedis(): void {
  const { prototype } = Redis;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { sendCommand } = prototype;
  prototype.sendCommand = function (command, stream) {
    const sent = command as unknown as SentCommand;
    const script = nameOf(sent);
    if (script !== "") beforeSending(script, sent);
    const reply = sendCommand.call(this, command, stream);
    if (script === "") return reply;
    const heard = sent.promise.then((value) => onReply(script, value));
    // What fails is told to whoever sent it.
    heard.catch(() => undefined);
    return reply;
  };
}

function nameOf({ name, args }: SentCommand): string {
  return name === "evalsha" ? (scripts.get(String(args[0])) ?? "") : "";
}

function beforeSending(script: string, { args }: SentCommand): void {
  if (script === "forgetCopied" && isTime("copied-not-forgotten")) die();
  const endsSent = script === "endEvaluation" && args.some(tellsOfSending);
  if (endsSent && isTime("slot-not-ended")) die();
  if (SETTLES.has(script) && isTime("before-settle")) die();
}

/** Before anybody else hears of the reply. */
function onReply(script: string, reply: unknown): void {
  const [first, , next] = Array.isArray(reply) ? (reply as unknown[]) : [];
  const tookJob = script === "takeNext" ? first !== undefined : script === "finishIntent" && next;
  if (tookJob && isTime("job-taken")) die();
  if (ACCEPTS.has(script) && first === "accepted" && isTime("accepted-not-answered")) die();
  if (script === "beginSending" && first === "granted" && isTime("sending-stored")) die();
  if (script === "fenceAccount" && isTime("fenced")) die();
  if (SETTLES.has(script) && isTime("settled-not-told")) die();
  if (script === "takeSlot" && reply === 1 && isTime("slot-not-queued")) die();
  const isToSend = script === "decideEvaluation" && tellsOfSending(reply);
  if (isToSend && isTime("slot-not-sent")) die();
}

/** An evaluation, as JSON, that sends an order. */
const tellsOfSending = (text: unknown): boolean => String(text).includes('"sends":true');

/** Hooks the points around the sending of an order or a close into an adapter. */
export function hookAdapter(adapter: BrokerAdapter): BrokerAdapter {
  const submit = adapter.submitOrder.bind(adapter);
  const close = adapter.closePosition.bind(adapter);
  adapter.submitOrder = async (...order) => await sendHooked(() => submit(...order));
  adapter.closePosition = async (...position) => await sendHooked(() => close(...position));
  return adapter;
}

/** Hooks the point at which an order or a close has left, known by its frame. */
export function hookSockets(orders: RegExp): void {
  const { prototype } = WebSocket;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { send } = prototype;
  prototype.send = function (this: WebSocket, ...args: Parameters<WebSocket["send"]>) {
    send.apply(this, args);
    const [frame] = args;
    if (typeof frame === "string" && orders.test(frame) && isTime("submit-sent")) setImmediate(die);
  } as WebSocket["send"];
}

async function sendHooked<Answer>(send: () => Promise<Answer>): Promise<Answer> {
  if (isTime("before-submit")) die();
  const answer = await send();
  if (isTime("submit-answered")) die();
  return answer;
}

/** Counts how often the point was come to. */
function isTime(point: CrashPoint): boolean {
  if (order.point !== point) return false;
  order = { point, nth: order.nth - 1 };
  return order.nth === 0;
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}
