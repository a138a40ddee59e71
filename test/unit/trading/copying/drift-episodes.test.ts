import { beforeEach, describe, expect, test } from "vitest";
import type { CopyState } from "../../../../src/domain/copying/copy-drift.ts";
import { DriftEpisodes } from "../../../../src/trading/copying/drift-episodes.ts";
import { ES, FIRST, MNQ, NQ, SECOND } from "./copy-kit.ts";

const AFTER_MS = 10_000;

let nowMs: number;
let episodes: DriftEpisodes;

beforeEach(() => {
  nowMs = 50_000;
  episodes = new DriftEpisodes(() => nowMs);
});

const standing = (contract: typeof ES, heldQty: number, dueQty = 0): CopyState => ({
  contract,
  targetQty: dueQty,
  dueQty,
  heldQty,
});

/** One look after so many ms at what is away in ES. */
function look(afterMs: number) {
  nowMs += afterMs;
  episodes.keep(FIRST, [standing(ES, 1)]);
  return episodes.of(FIRST, ES, AFTER_MS);
}

describe("being away from the target", () => {
  test("is believed after the group's time, and not before", () => {
    expect(look(0).isBelieved).toBe(false);
    expect(look(9_999).isBelieved).toBe(false);
    expect(look(1).isBelieved).toBe(true);
  });

  test("is acted on at once, and again after as long once more", () => {
    look(0);
    const first = look(10_000);
    expect([first.isDue, first.attempts]).toEqual([true, 0]);
    first.acted();
    expect(look(9_999)).toMatchObject({ isBelieved: true, isDue: false, attempts: 1 });
    expect(look(1)).toMatchObject({ isBelieved: true, isDue: true, attempts: 1 });
  });

  test("may be acted on from the beginning again", () => {
    look(0);
    look(10_000).acted();
    look(10_000).acted();
    expect(look(1).attempts).toBe(2);
    look(0).beginAnew();
    expect(look(0)).toMatchObject({ isBelieved: true, attempts: 0 });
  });

  test("begins anew after it was over", () => {
    look(0);
    look(10_000).acted();
    episodes.keep(FIRST, [standing(ES, 1, 1)]);
    expect(look(1_000)).toMatchObject({ isBelieved: false, isDue: false, attempts: 0 });
  });

  test("is over where nothing is held nor to be held", () => {
    look(0);
    episodes.keep(FIRST, []);
    expect(look(20_000).isBelieved).toBe(false);
  });

  test("begins anew where it could not be judged in between", () => {
    look(0);
    episodes.forget(FIRST);
    expect(look(20_000).isBelieved).toBe(false);
  });

  test("is one matter for each contract and each follower", () => {
    look(0);
    nowMs += 10_000;
    const away = [standing(ES, 1), standing(NQ, -1), standing(MNQ, 2, 2)];
    episodes.keep(FIRST, away);
    expect(episodes.of(FIRST, ES, AFTER_MS).isBelieved).toBe(true);
    expect(episodes.of(FIRST, NQ, AFTER_MS).isBelieved).toBe(false);
    expect(episodes.of(SECOND, ES, AFTER_MS).isBelieved).toBe(false);
    episodes.keep(FIRST, [standing(ES, 0), ...away.slice(1)]);
    nowMs += 10_000;
    expect(episodes.of(FIRST, NQ, AFTER_MS).isBelieved).toBe(true);
    expect(episodes.of(FIRST, ES, AFTER_MS).isBelieved).toBe(false);
  });
});

test("the contracts that count are added up over everybody, and forgotten with them", () => {
  look(0).contracts = 2;
  episodes.of(FIRST, NQ, AFTER_MS).contracts = 1;
  episodes.of(SECOND, ES, AFTER_MS).contracts = 4;
  // Not believed yet: it has none.
  episodes.of(SECOND, NQ, AFTER_MS);
  expect(episodes.contracts()).toBe(7);
  expect(look(0).contracts).toBe(2);
  expect(episodes.contracts()).toBe(6);
  episodes.forget(SECOND);
  expect(episodes.contracts()).toBe(2);
});
