import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { type OrderReport, sign } from "../../../src/domain/order.ts";
import {
  type Ask,
  type Filled,
  type History,
  isDoneWhole,
  isExitOf,
  isFilling,
  isPassedExit,
  named,
  netIn,
  opens,
  type Standing,
  told,
} from "./history.ts";

/** What was not sent when an exit was asked for is not sent after it, unless it was to close. */
export const anExitOvertakesTheUnsent = (history: History): string[] =>
  openedBehind(
    history,
    ({ ask, contract, side, order }, exit) =>
      (ask?.sentAt ?? Infinity) > exit.askedAt &&
      (order.ordType === "MARKET" || netIn(exit.seen, contract) * sign(side) >= 0),
  );

/** What is filled in part when an exit is asked for is closed, and fills no more. */
export const anExitEndsWhatStillFills = (history: History): string[] =>
  openedBehind(history, ({ order }, { seen }) => isWorking(order, seen));

/** Of what is unknown when it is asked for, an exit is not done before that is known and closed. */
export const anExitWaitsForTheUnknown = (history: History): string[] =>
  openedBehind(
    history,
    ({ ask, order }, exit) => (ask?.sentAt ?? 0) < exit.askedAt && !isWorking(order, exit.seen),
  );

const isWorking = ({ orderId }: OrderReport, { working }: Standing): boolean =>
  working.some((order) => order.orderId === orderId);

/** Fills of earlier orders that open something after an exit that was answered as done. */
function openedBehind(history: History, isMeant: (fill: Filled, exit: Ask) => boolean): string[] {
  return history.asks
    .filter((exit) => exit.what === "exit" && isDoneWhole(exit))
    .flatMap((exit) =>
      history.fills
        .filter((fill) => exit.contracts.includes(fill.contract) && opens(fill))
        .filter((fill) => fill.at > (exit.endedAt ?? Infinity) && isEarlier(fill, exit))
        .filter((fill) => !mayStay(fill, exit) && isMeant(fill, exit))
        .map((fill) => `${told(fill)}, after ${named(exit)}`),
    );
}

/** Of an order that belongs to nobody here, it is the worst that is believed. */
const isEarlier = ({ ask }: Filled, exit: Ask): boolean => ask === undefined || ask.nth < exit.nth;

/** Only a webhook's close cancels entries that rest, and those that turn out to. */
function mayStay({ order, ask }: Filled, { intent, askedAt, seen }: Ask): boolean {
  const cancelsAll =
    (intent.kind === "FLATTEN" && intent.cancelResting) ||
    (intent.kind === "ADJUST" && intent.cancelFirst === true);
  if (cancelsAll || order.ordType === "MARKET") return false;
  return isWorking(order, seen) || (ask?.sentAt ?? Infinity) < askedAt;
}

export function anExitLeavesNothing(history: History): string[] {
  return history.asks
    .filter((exit) => exit.what === "exit" && isDoneWhole(exit))
    .flatMap((exit) => {
      const moment = history.moments.find(({ at }) => at > (exit.endedAt ?? Infinity));
      if (moment === undefined) return [];
      const isLater = (contract: ContractCode) => hasLater(history, exit, contract, moment.at);
      return exit.contracts
        .filter((contract) => netIn(moment, contract) !== 0 && !isLater(contract))
        .map((contract) => `${contract} ${netIn(moment, contract)} after ${named(exit)}`);
    });
}

/** Somebody has asked for another position since. */
const hasLater = ({ asks }: History, exit: Ask, contract: ContractCode, by: number): boolean =>
  asks.some(
    ({ nth, contracts, askedAt }) => nth > exit.nth && askedAt < by && contracts.includes(contract),
  );

/** A close may be refused where nothing is to be closed, and where it names what is not held. */
export function anExitIsNotRefused(history: History): string[] {
  const { asks, fills } = history;
  return asks.filter(isWayOut).flatMap((exit) => {
    const { outcome, intent, contracts, askedAt, endedAt = Infinity, seen } = exit;
    const isOfIt = ({ contract }: Filled) => contracts.includes(contract);
    // What was held when it was asked may have been closed since.
    const isOther = fills.some((fill) => isOfIt(fill) && fill.at > askedAt && fill.at < endedAt);
    if (outcome?.kind === "overtaken") {
      // A target that came while it went on says where the position is to be.
      if (outcome.soFar !== undefined) return [];
      // An order that was to close what is closed by then would open something.
      if (exit.what === "out" && isOther) return [];
      return [`${named(exit)}: nothing overtakes an exit`];
    }
    if (outcome?.kind !== "denied") return [];
    if (outcome.code === "SYMBOL_MISMATCH" && "mustHold" in intent) return [];
    // What only closes a part leaves alone what is to come.
    const isMeant = ({ ask }: Filled) => exit.what === "exit" || (ask?.sentAt ?? 0) < askedAt;
    const comes = fills
      .filter((fill) => fill.at > endedAt && isOfIt(fill) && isEarlier(fill, exit) && opens(fill))
      .filter((fill) => fill.order.ordType === "MARKET" && isMeant(fill));
    const isFlat = contracts.every((contract) => netIn(seen, contract) === 0);
    if (comes.length === 0 && (isOther || (isFlat && outcome.code === "NO_POSITION"))) return [];
    return [`${named(exit)}; ${comes.map(told).join(", ")}`];
  });
}

/** Beside what is still being filled, an order that could close all might turn it round. */
const isWayOut = (ask: Ask): boolean =>
  ask.what === "exit" || ((ask.what === "part" || ask.what === "out") && !wasFilling(ask));

const wasFilling = ({ contracts, seen }: Ask): boolean =>
  seen.working.some((order) => isFilling(order) && contracts.includes(order.contract));

/** An entry ends unsent only for an exit that closes, or for a target of all of it. */
export function onlyAnExitThatClosesOvertakes({ asks }: History): string[] {
  return asks
    .filter(({ outcome }) => outcome?.kind === "overtaken")
    .filter(
      (entry) =>
        !asks.some(
          (exit) =>
            exit.nth > entry.nth &&
            (exit.what === "cancelEntries" ||
              isTargetOf(exit, entry) ||
              entry.contracts.some((contract) => isExitOf(contract, exit))) &&
            !isMisaddressed(exit),
        ),
    )
    .map(named);
}

const isTargetOf = ({ what, contracts }: Ask, entry: Ask): boolean =>
  what === "target" && contracts.some((one) => entry.contracts.includes(one));

/** It named what is not held, so nothing was closed. */
const isMisaddressed = ({ outcome }: Ask): boolean =>
  outcome?.kind === "denied" && outcome.code === "SYMBOL_MISMATCH";

/** What closes does not open, however late it is filled. */
export function anExitNeverOpens(history: History): string[] {
  return history.fills
    .filter((fill) => !isPassedExit(history, fill))
    .filter(({ ask, order }) => {
      if (order.role !== "ORDER") return false;
      return ask?.what === "exit" || ask?.what === "part";
    })
    .filter(opens)
    .map((fill) => `${told(fill)}: ${fill.ask === undefined ? "" : named(fill.ask)}`);
}

/** Entries that a cancel of entries met, or that came late before it, are gone. */
export function canceledEntriesDoNotFill(history: History): string[] {
  return (
    history.asks
      .filter(({ what, outcome }) => what === "cancelEntries" && outcome?.kind === "done")
      // What is an entry is told by what is held, and that is about to change.
      .filter((cancel) => !wasFilling(cancel))
      .flatMap((cancel) =>
        history.fills
          .filter((fill) => cancel.contracts.includes(fill.contract) && opens(fill))
          .filter((fill) => fill.at > (cancel.endedAt ?? Infinity) && isEarlier(fill, cancel))
          .filter(({ order }) => order.role === "ORDER" && order.ordType !== "MARKET")
          .filter(({ contract, side }) => netIn(cancel.seen, contract) * sign(side) >= 0)
          .map((fill) => `${told(fill)}, after ${named(cancel)}`),
      )
  );
}
