import { ClientRequest } from "node:http";
import { Redis } from "ioredis";
import { WebSocket } from "ws";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import { type ClOrdId, intentIdOf } from "../../src/domain/ids.ts";
import { beginSending } from "../../src/store/intents/begin-sending.ts";
import { decideEvaluation } from "../../src/store/strategies/decide-evaluation.ts";
import { writeGuards } from "../../src/store/guards/write-guards.ts";
import { endEvaluation } from "../../src/store/strategies/end-evaluation.ts";
import { fenceAccount } from "../../src/store/connections/fence-account.ts";
import { forgetCopied } from "../../src/store/copying/forget-copied.ts";
import { TO_FINISH } from "../../src/store/intents/finish-intent.ts";
import { settleIntent } from "../../src/store/intents/settle-intent.ts";
import { laneScripts } from "../../src/app/lane-scripts.ts";
import { takeSlot } from "../../src/store/strategies/take-slot.ts";
import type { AcceptanceNews, CrashOrder, CrashPoint } from "./crash-points.ts";

interface SentCommand {
  readonly name: string;
  readonly args: readonly unknown[];
  readonly promise: Promise<unknown>;
}

let order: CrashOrder = { point: "none", nth: 0 };
/** Intents that were begun as they were accepted, and have not ended. */
const begunAhead = new Set<string>();

const scripts = new Map<string, string>([
  ...Object.entries(laneScripts).map(([name, { sha1 }]) => [sha1, name] as const),
  [beginSending.sha1, "beginSending"],
  [settleIntent.sha1, "settleIntent"],
  [fenceAccount.sha1, "fenceAccount"],
  [forgetCopied.sha1, "forgetCopied"],
  [takeSlot.sha1, "takeSlot"],
  [decideEvaluation.sha1, "decideEvaluation"],
  [endEvaluation.sha1, "endEvaluation"],
  [writeGuards.sha1, "writeGuards"],
]);

/** The scripts that accept, each with what it accepts and whether it begins that as well. */
const ACCEPTS: ReadonlyMap<string, Pick<AcceptanceNews, "of" | "isAhead">> = new Map([
  ["acceptAlert", { of: "alert", isAhead: false }],
  ["acceptIntent", { of: "request", isAhead: false }],
  ["alertAndBegin", { of: "alert", isAhead: true }],
  ["intentAndBegin", { of: "request", isAhead: true }],
]);
/** The place of the intent among the arguments of a script, without its keys. */
const INTENT_AT: ReadonlyMap<string, number> = new Map([
  ...[...ACCEPTS.keys()].map((script) => [script, 0] as const),
  ["settleIntent", 0],
  ["finishIntent", TO_FINISH.indexOf("intentId")],
]);
const SETTLES: ReadonlySet<string> = new Set(["finishIntent", "settleIntent"]);

/** The process is killed the `nth` time that it comes to the point. */
export function obey(next: CrashOrder): void {
  order = next;
}

/** Hooks the points that are steps at Redis into every connection of this process. */
export function hookRedis(onAccepted: (news: AcceptanceNews) => void): void {
  const { prototype } = Redis;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { sendCommand } = prototype;
  prototype.sendCommand = function (command, stream) {
    const sent = command as unknown as SentCommand;
    const script = nameOf(sent);
    if (script !== "") beforeSending(script, sent);
    const reply = sendCommand.call(this, command, stream);
    if (script === "") return reply;
    const accepts = ACCEPTS.get(script);
    const tell = (answer: unknown, isAdmitted = false) =>
      accepts && onAccepted({ ...accepts, isAdmitted, answer: String(answer) });
    sent.promise.then(
      (value) => {
        const [words, isAdmitted] = accepts ? acceptanceIn(value) : [asList(value), false];
        tell(words[0], isAdmitted);
        onReply(script, { sent, words });
      },
      // What fails is told to whoever sent it.
      () => tell("no answer"),
    );
    return reply;
  };
}

function nameOf({ name, args }: SentCommand): string {
  return name === "evalsha" ? (scripts.get(String(args[0])) ?? "") : "";
}

const asList = (reply: unknown): readonly unknown[] => (Array.isArray(reply) ? reply : [reply]);

/** The answer without what `admit-remembered.ts` puts around it, and whether it admitted the sender. */
function acceptanceIn(reply: unknown): readonly [readonly unknown[], boolean] {
  const [answer, ...quota] = asList(reply);
  return Array.isArray(answer) ? [answer, quota.length > 0] : [asList(reply), false];
}

function intentOf(script: string, { args }: SentCommand): string {
  const at = INTENT_AT.get(script);
  return at === undefined ? "" : String(args[2 + Number(args[1]) + at]);
}

function beforeSending(script: string, sent: SentCommand): void {
  if (script === "forgetCopied" && isTime("copied-not-forgotten")) die();
  const endsSent = script === "endEvaluation" && sent.args.some(tellsOfSending);
  if (endsSent && isTime("slot-not-ended")) die();
  if (ACCEPTS.get(script)?.isAhead === true && isTime("begin-not-sent")) die();
  if (SETTLES.has(script) && isTimeOf("before-settle", intentOf(script, sent))) die();
}

interface Reply {
  readonly sent: SentCommand;
  readonly words: readonly unknown[];
}

/** Before anybody else hears of the reply. */
function onReply(script: string, { sent, words }: Reply): void {
  const [first, , next] = words;
  const intent = intentOf(script, sent);
  if (ACCEPTS.has(script)) onAcceptance(intent, first);
  const tookNext = script === "finishIntent" && next !== undefined && next !== null;
  const tookJob = tookNext || (script === "takeNext" && first !== undefined);
  if (tookJob && isTime("job-taken")) die();
  if (tookNext && isTimeOf("next-taken", intent)) die();
  if (script === "beginSending" && first === "granted" && isTime("sending-stored")) die();
  if (script === "fenceAccount" && isTime("fenced")) die();
  if (SETTLES.has(script) && isTimeOf("settled-not-told", intent)) die();
  if (SETTLES.has(script)) begunAhead.delete(intent);
  if (script === "takeSlot" && first === 1 && isTime("slot-not-queued")) die();
  const isToSend = script === "decideEvaluation" && words.some(tellsOfSending);
  if (isToSend && isTime("slot-not-sent")) die();
  if (locks(script, sent) && first === "written" && isTime("locked-not-closed")) die();
}

/** Among the fields that guards write; one that is ended is written with an empty value. */
function locks(script: string, { args }: SentCommand): boolean {
  const at = args.indexOf("lockId");
  return script === "writeGuards" && at >= 0 && args[at + 1] !== "";
}

function onAcceptance(intent: string, answer: unknown): void {
  if (answer === "begun") begunAhead.add(intent);
  if (answer === "begun" && isTime("begun-not-heard")) die();
  if (answer === "accepted" && isTime("accepted-not-answered")) die();
}

/** An evaluation, as JSON, that sends an order. */
const tellsOfSending = (text: unknown): boolean => String(text).includes('"sends":true');

/** Hooks the points around the sending of an order or a close into an adapter. */
export function hookAdapter(adapter: BrokerAdapter): BrokerAdapter {
  const submit = adapter.submitOrder.bind(adapter);
  const close = adapter.closePosition.bind(adapter);
  adapter.submitOrder = async (...sent) => await sendHooked(sent[1].clOrdId, () => submit(...sent));
  adapter.closePosition = async (...sent) => await sendHooked(sent[2], () => close(...sent));
  return adapter;
}

/** Hooks the point at which an order or a close has left, known by its frame or by its request. */
export function hookSending(orders: readonly RegExp[]): void {
  const onSent = (text: unknown) => {
    if (typeof text !== "string" || !orders.some((order) => order.test(text))) return;
    if (isTimeOf("submit-sent", intentIn(text))) setImmediate(die);
  };
  const { prototype } = WebSocket;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { send } = prototype;
  prototype.send = function (this: WebSocket, ...args: Parameters<WebSocket["send"]>) {
    send.apply(this, args);
    onSent(args[0]);
  } as WebSocket["send"];
  const request = ClientRequest.prototype;
  // oxlint-disable-next-line typescript/unbound-method -- called with its own `this` below
  const { end } = request;
  request.end = function (this: ClientRequest, ...args: Parameters<ClientRequest["end"]>) {
    const ended = end.apply(this, args);
    onSent(args[0]);
    return ended;
  } as ClientRequest["end"];
}

/** Every broker has the identifier under one of these names. */
const intentIn = (text: string): string =>
  /"(?:clOrdId|customTag)":"([^"-]*)/.exec(text)?.[1] ?? "";

async function sendHooked<Answer>(sent: ClOrdId, send: () => Promise<Answer>): Promise<Answer> {
  const intent = intentIdOf(sent) ?? "";
  if (isTimeOf("before-submit", intent)) die();
  const answer = await send();
  if (isTimeOf("submit-answered", intent)) die();
  return answer;
}

/** The same where the order may be for one of the two ways in which intents are accepted. */
function isTimeOf(point: CrashPoint, intent: string): boolean {
  const isOther = order.isAhead !== undefined && order.isAhead !== begunAhead.has(intent);
  return !isOther && isTime(point);
}

/** Counts how often the point was come to. */
function isTime(point: CrashPoint): boolean {
  if (order.point !== point) return false;
  order = { ...order, nth: order.nth - 1 };
  return order.nth === 0;
}

function die(): void {
  process.kill(process.pid, "SIGKILL");
}
