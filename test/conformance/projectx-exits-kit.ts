import { expect } from "vitest";
import { newIntentId } from "../../src/app/new-ids.ts";
import { clOrdIdOf } from "../../src/domain/intent.ts";
import type { OrderReport } from "../../src/domain/order.ts";
import { waitUntil } from "../support/wait.ts";
import { atPrice, type Trader } from "./broker-under-test.ts";
import { projectXCases, type ProjectXCases } from "./projectx-case.ts";

export const BRACKET = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };

/** The steady clock of each gateway, ms: it goes on in waits of this kit alone. */
const clocks = new WeakMap<Trader, { ms: number }>();

/**
 * The cases of one file. A missing exit is placed again after 2 s of the gateway's clock, so a case
 * decides by `passing` and the waits below when that may be.
 */
export function exitCases(): ProjectXCases {
  const cases = projectXCases();
  const onOwnClock =
    (start: ProjectXCases["prepared"]): ProjectXCases["prepared"] =>
    async (deps, behaviour) => {
      const clock = { ms: performance.now() };
      const given = await start({ elapsed: () => clock.ms, ...deps }, behaviour);
      clocks.set(given.trader, clock);
      return given;
    };
  return { prepared: onOwnClock(cases.prepared), connected: onOwnClock(cases.connected) };
}

/** Waits until it is true, while the gateway's clock goes on. */
export const passing = (
  trader: Trader,
  what: string,
  isTrue: () => boolean | Promise<boolean>,
): Promise<void> =>
  waitUntil(what, () => {
    pass(trader, STEP_MS);
    return isTrue();
  });

function pass(trader: Trader, ms: number): void {
  const clock = clocks.get(trader);
  if (clock !== undefined) clock.ms += ms;
}

/** An entry for so many at 995, of which the market then sells `filled`. */
export async function enter(trader: Trader, orderQty: number, filled = orderQty) {
  const clOrdId = clOrdIdOf(newIntentId(), 1);
  const taken = await trader.limit("BUY", 995, { clOrdId, orderQty, bracket: BRACKET });
  if (filled > 0) {
    await trader.market(994, 995, filled);
    await trader.waitForPosition(filled);
    await trader.market(994, 996);
  }
  return taken;
}

export const exitsOf = async (trader: Trader): Promise<readonly OrderReport[]> =>
  (await trader.working()).filter(
    ({ role, ordStatus }) => role !== "ORDER" && ordStatus !== "HELD",
  );

/** How many contracts live exits of each kind are for, in words that a failure shows. */
export async function standing(trader: Trader): Promise<string> {
  const exits = await exitsOf(trader);
  const qtyOf = (role: OrderReport["role"]) =>
    exits.filter((exit) => exit.role === role).reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  const isPlaced = exits.every(({ price, stopPx }) => price === 1_010 || stopPx === 980);
  return `${qtyOf("STOP_LOSS")} ${qtyOf("TAKE_PROFIT")}${isPlaced ? "" : " elsewhere"}`;
}

export const untilExits = (trader: Trader, qty: number): Promise<void> =>
  passing(trader, `both exits work for ${qty}`, async () => {
    return (await standing(trader)) === `${qty} ${qty}`;
  });

/** Nothing of it comes back, though there is time for it. */
export async function untilStill(trader: Trader, expected: string): Promise<void> {
  for (let look = 0; look < LOOKS; look += 1) {
    expect(await standing(trader)).toBe(expected);
    pass(trader, LOOKS_AFTER_MS);
    await new Promise((resolve) => setTimeout(resolve, GATEWAY_LOOKS_EVERY_MS));
  }
  expect(await standing(trader)).toBe(expected);
}

export const byText = (one: string, other: string) => one.localeCompare(other);

const STEP_MS = 250;
/** The gateway sees that one is missing, waits for 2 s, asks the broker, and places it. */
const LOOKS = 12;
const LOOKS_AFTER_MS = 500;
/** By the clock of the machine: 3 s in all, so that its question and its order have their time too. */
const GATEWAY_LOOKS_EVERY_MS = 250;
