import {
  type Ask,
  type Filled,
  type History,
  isDoneWhole,
  isPassedExit,
  type Moment,
  named,
  netIn,
  opens,
  told,
} from "./history.ts";

/** A target leads to its number, never beyond, however often it is asked for and whatever still fills. */
export const aTargetIsTheEnd = (history: History): string[] =>
  beyondTargets(history, ({ ask, order }) => ask?.what === "target" || order.ordType === "MARKET");

/** So it does where an order at a price was placed by itself before. */
export const aTargetCountsWhatRests = (history: History): string[] =>
  beyondTargets(history, ({ ask, order }) => ask?.what !== "target" && order.ordType !== "MARKET");

function beyondTargets(history: History, isMeant: (fill: Filled) => boolean): string[] {
  return history.asks
    .filter(isTarget)
    .filter(isDoneWhole)
    .flatMap((ask) => {
      const [contract] = ask.contracts;
      const { intent, endedAt = Infinity } = ask;
      const aim = intent.kind === "ADJUST" ? intent.aim : undefined;
      if (contract === undefined || aim?.to !== "position") return [];
      const { netQty } = aim;
      const until = nextAbout(history, ask)?.askedAt ?? Infinity;
      const ended = history.moments.find(({ at }) => at > endedAt);
      const net = ended === undefined ? netQty : netIn(ended, contract);
      const side = Math.sign(netQty);
      return history.fills
        .filter((fill) => fill.contract === contract && fill.at > endedAt && fill.at < until)
        .filter((fill) => opens(fill) && isMeant(fill))
        .filter(({ after }) => side * after > Math.max(side * netQty, side * net))
        .map((fill) => `${told(fill)}, but ${named(ask)}`);
    });
}

const isTarget = ({ what }: Ask): boolean => what === "target";

/** The next thing that was asked of the same contract. */
const nextAbout = ({ asks }: History, { nth, contracts }: Ask): Ask | undefined =>
  asks.find((other) => other.nth > nth && other.contracts.some((one) => contracts.includes(one)));

/**
 * A position limit holds for whatever may fill, on either side. What an exit leaves to rest may lead
 * further than it did beside what was held.
 */
export function thePositionLimitHolds({ asks, fills, moments, maxPositionQty }: History): string[] {
  return (
    fills
      .filter((fill) => opens(fill) && Math.abs(fill.after) > maxPositionQty)
      // Of two orders that the market reaches at once either may fill first.
      .filter(({ at, contract }) => {
        const moment = moments.find((one) => one.at > at);
        return moment !== undefined && Math.abs(netIn(moment, contract)) > maxPositionQty;
      })
      .filter(({ ask, contract }) => {
        const later = asks.filter(
          ({ nth, contracts }) => nth > (ask?.nth ?? 0) && contracts.includes(contract),
        );
        return later.every(({ what }) => what === "entry");
      })
      .map((fill) => `${told(fill)}, the limit is ${maxPositionQty}`)
  );
}

/** From the first quiet moment on: what was under way when it was switched on may have filled before. */
export function aKillSwitchLetsNothingOpen(history: History): string[] {
  const { fills, moments } = history;
  return fills
    .filter((fill) => opens(fill) && !isPassedExit(history, fill))
    .filter((fill) => {
      const last = moments.findLast(({ at }) => at < fill.at);
      if (last?.switchedOnAt === undefined || !wasQuietSince(moments, last)) return false;
      // Two orders that the market reaches in one move fill before anybody can look.
      return !fills.some(
        ({ at, contract }) => contract === fill.contract && at > last.at && at < fill.at,
      );
    })
    .map((fill) => `${told(fill)} under the kill switch`);
}

const wasQuietSince = (
  moments: readonly Moment[],
  { at: end, switchedOnAt = end }: Moment,
): boolean => moments.some(({ at, isSettled }) => isSettled && at > switchedOnAt && at <= end);
