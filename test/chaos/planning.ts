import { setTimeout as sleep } from "node:timers/promises";
import { accountId } from "../../src/domain/ids.ts";
import { apiClient } from "../support/http-client.ts";
import { HANGS_AFTER_MS } from "../support/wait.ts";
import { ask } from "./ask.ts";
import type { Cluster } from "./cluster.ts";

/** What an account with an exit plan held, and what stood there for it. */
export interface PlanLook {
  readonly heldQty: number;
  readonly stopQty: number;
  readonly targetQty: number;
  readonly stops: number;
}

/** How an account ended: with what was left of the run, with a last plan, and after that was closed. */
export interface PlanEnd {
  readonly account: string;
  readonly left: PlanLook;
  readonly split: PlanLook;
  /** From the last entry until its exits stood as they are to stand, ms; absent where they never did. */
  readonly splitMs: number | undefined;
  readonly closed: PlanLook;
  /** Plans that are kept still. */
  readonly kept: number;
}

const QTY = 3;
/**
 * Nothing fills there: the market of these runs stands still, and the made-up prices only move stops, by
 * a distance that keeps them away from it.
 */
const PLAN = {
  targets: [{ ticks: 800 }, { ticks: 820 }, { ticks: 840 }],
  stop: { ticks: 800 },
  breakeven: { after: { target: 1 } },
  trailing: { from: { ticks: 4 }, distance: { ticks: 20 } },
};
const ENTRY = { symbol: "MES1!", action: "buy", qty: QTY, type: "market", exitPlan: PLAN };
const EXIT = { symbol: "MES1!", action: "sell", qty: QTY, type: "market" };

const STAYS_MS = 2_500;
const PAUSE_MS = 700;
const POLL_MS = 250;
/** While nothing fails: a look-up, a report that comes late, and what each step takes. */
const CALM_WITHIN_MS = HANGS_AFTER_MS;

/** Enters with exit plans and leaves again, until the signal. */
export async function tradeByPlans(
  { planned, members }: Cluster,
  apiKey: string,
  signal: AbortSignal,
): Promise<void> {
  const doors = members.filter(({ takesCalls }) => takesCalls);
  const loops = planned.map(async (account, n) => {
    const base = `/v1/accounts/${account}`;
    for (let round = n; !signal.aborted; round += 1) {
      const up = doors.filter(({ isUp }) => isUp);
      const door = up[round % up.length];
      if (door !== undefined) {
        const sender = { apiKey, requestId: `plan ${account} ${round}` };
        // Whether it was answered is nothing to us: what stands at the end is what must be right.
        await ask(door, { method: "POST", path: `${base}/orders`, body: ENTRY }, sender);
        await sleep(STAYS_MS, undefined, { signal }).catch(() => undefined);
        if (round % 2 === 0) {
          await ask(door, { method: "POST", path: `${base}/orders`, body: EXIT }, sender);
        } else await ask(door, { method: "DELETE", path: `${base}/positions` }, sender);
      }
      await sleep(PAUSE_MS, undefined, { signal }).catch(() => undefined);
    }
  });
  await Promise.all(loops);
}

/** Looks at what is left once nothing fails any more, and has one plan more split and closed. */
export async function endPlans(cluster: Cluster, apiKey: string): Promise<readonly PlanEnd[]> {
  const { url = "" } = cluster.members.find(({ takesCalls, isUp }) => takesCalls && isUp) ?? {};
  const api = apiClient(url, apiKey);
  const look = async (account: string): Promise<PlanLook> => {
    const base = `/v1/accounts/${account}`;
    const [orders, positions] = await Promise.all([
      api.get(`${base}/working-orders`),
      api.get(`${base}/positions`),
    ]);
    return readLook(orders.body, positions.body);
  };
  const ends = cluster.planned.map(async (account): Promise<PlanEnd> => {
    const base = `/v1/accounts/${account}`;
    const left = await untilSo(() => look(account), covers);
    await api.delete(`${base}/positions`);
    await untilSo(() => look(account), isEmpty);
    await api.post(`${base}/orders`, ENTRY);
    const enteredAt = performance.now();
    const split = await untilSo(() => look(account), isSplit);
    const splitMs = isSplit(split) ? Math.round(performance.now() - enteredAt) : undefined;
    await api.delete(`${base}/positions`);
    const closed = await untilSo(() => look(account), isEmpty);
    const kept = await untilSo(
      () => keptPlans(cluster, account),
      (count) => count === 0,
    );
    return { account, left, split, splitMs, closed, kept };
  });
  return await Promise.all(ends);
}

async function keptPlans({ redis, keys }: Cluster, account: string): Promise<number> {
  return await redis.hlen(keys.runningPlans(accountId(account)));
}

/** What is seen last, as soon as it is right, or after a while. */
async function untilSo<Of>(read: () => Promise<Of>, isSo: (seen: Of) => boolean): Promise<Of> {
  const deadline = performance.now() + CALM_WITHIN_MS;
  for (;;) {
    const seen = await read();
    if (isSo(seen) || performance.now() > deadline) return seen;
    await sleep(POLL_MS);
  }
}

interface OrdersReply {
  readonly orders?: readonly { readonly role: string; readonly remainingQty: number }[];
}

interface PositionsReply {
  readonly positions?: readonly { readonly side: string; readonly qty: number }[];
}

function readLook({ orders = [] }: OrdersReply, { positions = [] }: PositionsReply): PlanLook {
  const of = (role: string) => orders.filter((one) => one.role === role);
  const sum = (role: string) => of(role).reduce((all, { remainingQty }) => all + remainingQty, 0);
  return {
    heldQty: positions.reduce((all, { side, qty }) => all + (side === "long" ? qty : -qty), 0),
    stopQty: sum("stopLoss"),
    targetQty: sum("takeProfit"),
    stops: of("stopLoss").length,
  };
}

/** Stops close just what is held; a short position has come of a sale too many, and no plan is for it. */
export const covers = ({ heldQty, stopQty }: PlanLook): boolean => stopQty === Math.max(0, heldQty);

export const isEmpty = ({ heldQty, stopQty, targetQty }: PlanLook): boolean =>
  heldQty === 0 && stopQty === 0 && targetQty === 0;

export const isSplit = ({ heldQty, stopQty, targetQty, stops }: PlanLook): boolean =>
  heldQty === QTY && stopQty === QTY && targetQty === QTY && stops === PLAN.targets.length;
