import { setTimeout as sleep } from "node:timers/promises";
import type { AccountView } from "../../simulators/exchange/desk.ts";
import { postAlert, type Reply } from "../../support/http-client.ts";
import { made, untilTaken, waitUntil } from "../../support/wait.ts";
import type { BrokerName, ExitDesk, ExitSite } from "./exit-desk.ts";
import type { ExitForm } from "./exit-forms.ts";

/** The broker's behaviour when the exit comes. */
export const SITUATIONS = [
  "nothing goes wrong",
  "refused once",
  "refused four times",
  "cut off between cancel and close",
  "its close never arrives",
  "its answer is lost",
  "may not trade",
  "may not trade, untold",
] as const;
export type Situation = (typeof SITUATIONS)[number];

export interface ExitCase {
  readonly broker: BrokerName;
  readonly form: ExitForm;
  readonly situation: Situation;
}

/** A broker's view of the account; exits by the contracts that they are for. */
export interface Held {
  readonly net: number;
  readonly stops: number;
  readonly targets: number;
}

/** One case as it was seen from outside. */
export interface Seen {
  readonly status: number;
  /** The outcome that was answered, or the code of the error. */
  readonly outcome: string;
  /** At the broker, a moment after the answer. */
  readonly then: Held;
  /** At the broker, once nothing changes any more. */
  readonly end: Held;
  /** Contracts that were sold in all, and the lowest that was ever held. */
  readonly sold: number;
  readonly lowest: number;
  /** Looks after the answer that saw less stops than were held. */
  readonly bare: number;
  /** For a failure: the whole answer, and each look at which something was new. */
  readonly story: string;
}

const QTY = 2;
/** A refused close gives its exits back before the answer; events of them may come a moment later. */
const SETTLES_WITHIN_MS = 1_000;
const LOOK_MS = 250;
/** So long nothing may change at the end. */
const STILL_MS = 1_500;
/** Refusals end within seven seconds, a close that never arrived is given up after two looks. */
const ENDS_WITHIN_MS = 45_000;

export async function runCase(site: ExitSite, one: ExitCase): Promise<Seen> {
  const desk = await site.desk(one.broker);
  try {
    return await seeCase(site, desk, one);
  } finally {
    await desk.allow(true, true);
    await site.remove(desk);
  }
}

async function seeCase(site: ExitSite, desk: ExitDesk, one: ExitCase): Promise<Seen> {
  const send = await sender(site, desk, one.form);
  await enter(site, desk);
  await begin(site, desk, one.situation);
  const began = performance.now();
  const story: string[] = [];
  const look = async (): Promise<Held> => {
    const held = heldIn(await desk.view());
    const line = inWords(held);
    if (story.at(-1)?.endsWith(line) !== true) {
      story.push(`${Math.round(performance.now() - began)} ms: ${line}`);
    }
    return held;
  };
  const watching = watch(look);
  const reply = await send();
  story.push(`${Math.round(performance.now() - began)} ms: ${reply.status} ${reply.text}`);
  const said = outcomeOf(reply);
  const then = await soon(look, (held) => isGoal(held, one) || isWhole(held));
  if (one.situation.startsWith("may not trade")) {
    await sleep(STILL_MS);
    await desk.allow(true, true);
  }
  let bare = 0;
  const until = performance.now() + ENDS_WITHIN_MS;
  let stillSince = performance.now();
  let last = "";
  let end = then;
  for (;;) {
    end = await look();
    if (end.net > 0 && end.stops < end.net) bare += 1;
    if (inWords(end) !== last) stillSince = performance.now();
    last = inWords(end);
    const isStill = performance.now() - stillSince > STILL_MS;
    if (isStill && (isGoal(end, one) || isOver(one, said))) break;
    if (performance.now() > until) break;
    await sleep(LOOK_MS);
  }
  await watching.stop();
  const view = await desk.view();
  const log = await intentState(site, desk);
  return { ...said, then, end, ...tradedIn(view), bare, story: `${story.join("\n")}\n${log}` };
}

/** Nothing more is to come of what was refused, or of an order that never came. */
const isOver = ({ form, situation }: ExitCase, { status }: { status: number }): boolean =>
  situation === "may not trade" ||
  (form.isOrder === true && (status >= 400 || situation === "its close never arrives"));

/** Reports of what is between two looks. */
function watch(look: () => Promise<Held>) {
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      await look();
      await sleep(LOOK_MS);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await watching;
    },
  };
}

export const isGoal = ({ net, stops, targets }: Held, { form, situation }: ExitCase): boolean => {
  const left = Math.max(0, form.leaves);
  // After a refusal only the close of a reversal is gone on with.
  const mayBeFlat = form.leaves < 0 && situation !== "nothing goes wrong" && net === 0;
  return (net === form.leaves || mayBeFlat) && stops === left && targets === left;
};

const isWhole = ({ net, stops, targets }: Held) => net === QTY && stops === QTY && targets === QTY;

async function soon(look: () => Promise<Held>, isIt: (held: Held) => boolean): Promise<Held> {
  const until = performance.now() + SETTLES_WITHIN_MS;
  for (;;) {
    const held = await look();
    if (isIt(held) || performance.now() > until) return held;
    await sleep(50);
  }
}

async function enter(site: ExitSite, desk: ExitDesk): Promise<void> {
  const bracket = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
  const order = { symbol: "ES1!", action: "buy", qty: QTY, type: "market", bracket };
  await made(() => site.api.post(`/v1/accounts/${desk.account}/orders`, order));
  let seen = "";
  await waitUntil("two are held with their exits", async () => {
    const held = heldIn(await desk.view());
    seen = inWords(held);
    // The gateway itself knows of all of it.
    const { body } = await site.api.get(`/v1/accounts/${desk.account}/working-orders`);
    return isWhole(held) && body.orders?.length === 2;
  }).catch((cause) => {
    throw new Error(`Held are ${seen}`, { cause });
  });
}

async function begin(site: ExitSite, desk: ExitDesk, situation: Situation): Promise<void> {
  switch (situation) {
    case "nothing goes wrong":
      break;
    case "refused once":
      await desk.refuse(1);
      break;
    case "refused four times":
      await desk.refuse(4);
      break;
    case "cut off between cancel and close":
      await desk.cutAtFirst();
      break;
    case "its close never arrives":
      await desk.loseClose(false);
      break;
    case "its answer is lost":
      await desk.loseClose(true);
      break;
    case "may not trade":
      await desk.allow(false, true);
      await site.untilActive(desk, false);
      break;
    case "may not trade, untold":
      await desk.allow(false, false);
      break;
  }
}

/** All that is to be there is made before: only the exit itself meets the situation. */
async function sender(
  site: ExitSite,
  { account }: ExitDesk,
  { ask }: ExitForm,
): Promise<() => Promise<Reply>> {
  const { api } = site;
  const root = `/v1/accounts/${account}`;
  if ("alert" in ask) {
    const { profile, alert } = ask;
    const hook = await made(() => api.post("/v1/webhooks", { accountId: account, profile }));
    return async () => await postAlert(hook.url as string, alert);
  }
  const order = { symbol: "ES1!", action: "sell", qty: QTY, type: "market" };
  switch (ask.call) {
    case "flatten":
      return async () => await api.delete(`${root}/positions`);
    case "flattenSymbol":
      return async () => await api.delete(`${root}/positions?symbol=ES`);
    case "flattenGroup": {
      const members = [{ accountId: account }];
      const group = await made(() => api.post("/v1/account-groups", { name: account, members }));
      return async () =>
        await api.post(`/v1/account-groups/${group.groupId ?? group.id}/flatten`, {});
    }
    case "order":
      return async () => await api.post(`${root}/orders`, order);
  }
}

/** The answer to the one account, of a group too. */
function outcomeOf({ status, body }: Reply): { status: number; outcome: string } {
  const inside = body?.accounts?.[0] ?? body?.error?.accounts?.[0] ?? body;
  const inner = Number(inside?.httpStatus ?? status);
  const outcome = inside?.error?.code ?? inside?.outcome ?? "done";
  return { status: inner, outcome: String(outcome) };
}

async function intentState(site: ExitSite, { account }: ExitDesk): Promise<string> {
  const path = `/v1/accounts/${account}/intents?state=unsettled`;
  const { text } = await untilTaken(() => site.api.get(path));
  return `unsettled: ${text.slice(0, 600)}`;
}

export const inWords = ({ net, stops, targets }: Held): string =>
  `${net} held, stops ${stops}, targets ${targets}`;

export function heldIn(view: AccountView | undefined): Held {
  const working = (view?.workingOrders ?? []).filter(
    ({ ordStatus, side }) => ordStatus !== "HELD" && side === "SELL",
  );
  const qtyOf = (ordType: string) =>
    working
      .filter((order) => order.ordType === ordType)
      .reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  return {
    net: (view?.positions ?? []).reduce((sum, { netQty }) => sum + netQty, 0),
    stops: qtyOf("STOP"),
    targets: qtyOf("LIMIT"),
  };
}

function tradedIn(view: AccountView | undefined): Pick<Seen, "sold" | "lowest"> {
  let [net, lowest, sold] = [0, QTY, 0];
  for (const { side, lastQty } of view?.fills ?? []) {
    net += side === "BUY" ? lastQty : -lastQty;
    if (side === "SELL") sold += lastQty;
    if (sold > 0) lowest = Math.min(lowest, net);
  }
  return { sold, lowest };
}
