import { sign } from "../../../../src/domain/order.ts";
import type { Finding } from "../invariants.ts";
import { type AccountRecord, type Ask, changesExits, named, planOf } from "../record.ts";

/** 3: a close takes at most the rest of its own lots, and never opens. */
export function aCloseIsForItsOwn({ asks, fills, sent }: AccountRecord): readonly Finding[] {
  const tooMany = asks.flatMap((ask): Finding[] => {
    const { of, intent, what, left, at, isClear } = ask;
    const isClose = of !== undefined && what === "part" && intent.kind === "ADJUST";
    if (!isClose || !isClear || intent.aim.to !== "close" || !("qty" in intent.aim)) return [];
    const { qty } = intent.aim;
    return qty <= left ? [] : [{ at, what: `plan closes ${qty} of ${left}: ${named(ask)}` }];
  });
  const opened = fills.flatMap(({ at, ask, opened: qty, cameClear }): Finding[] => {
    const isExit = ask?.what === "timeout" && ask.of?.what === "plainExit";
    if (!isExit || qty === 0 || !cameClear) return [];
    // One that found nothing to close was an entry, and has the timeout of one.
    const left = sent.find(({ kind, ask: whose }) => kind === "place" && whose === ask.of);
    if (left?.order === undefined || sign(left.order.side) * left.net >= 0) return [];
    return [{ at, what: `timeout of an exit opens ${qty}: ${named(ask)}` }];
  });
  return [...tooMany, ...opened];
}

/** 4: a plan lives exactly as long as its entry's lots. */
export function aPlanIsOverWithItsLots({ asks, rests }: AccountRecord): readonly Finding[] {
  return rests.flatMap(({ at, owners, plans, working }) =>
    asks
      .filter((ask) => planOf(ask) !== undefined && ask.at < at && !wasReplaced(asks, ask))
      .flatMap((ask): Finding[] => {
        const left = owners.filter((owner) => owner === ask.id).length;
        const isThere = plans.has(ask.id);
        const works = working.some(({ clOrdId }) => clOrdId?.startsWith(`${ask.id}-`) === true);
        if (left > 0 && !isThere) {
          return [{ at, what: `plan forgotten with ${left} left: ${named(ask)}` }];
        }
        if (left > 0 || !isThere || works) return [];
        return [{ at, what: `plan kept with nothing left: ${named(ask)}` }];
      }),
  );
}

/** A later request has placed other exits. */
const wasReplaced = (asks: readonly Ask[], { nth }: Ask): boolean =>
  asks.some((other) => other.nth > nth && changesExits(other));
