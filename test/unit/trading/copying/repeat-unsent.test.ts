import { describe, expect, test } from "vitest";
import { intentId } from "../../../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../../../src/domain/intent.ts";
import { positionAim } from "../../../../src/trading/copying/plan-copies.ts";
import type { CopyEntry } from "../../../../src/trading/copying/ports.ts";
import { isToRepeat, repeated } from "../../../../src/trading/copying/repeat-unsent.ts";
import { copyEntry, ES, FIRST, follower, LEADER, NOW, OWNER } from "./copy-kit.ts";

const entry = copyEntry({ targetQty: 2, decisions: ["It was sized"] });

const notSent: Outcome = { kind: "notSent", reason: "The session has ended" };

const record: IntentRecord = {
  intentId: entry.copyId,
  accountId: FIRST,
  userId: OWNER,
  source: { kind: "copy" },
  requestId: "i1",
  intent: positionAim(ES, 2),
  copy: { leader: LEADER, seq: 7 },
  state: "NOTSENT",
  clOrdIds: [],
  acceptedAt: NOW,
  entryExpiresAt: NOW + 30_000,
  exitExpiresAt: NOW + 60_000,
  outcome: notSent,
};

const { copy: _copy, ...unnumbered } = record;
const { outcome: _outcome, ...waiting } = record;

describe("a copy is made again", () => {
  test.each<[string, boolean, Partial<CopyEntry>, IntentRecord]>([
    ["of which nothing left", true, {}, record],
    ["that a person asked for", true, { cause: "sync" }, record],
    ["twice", true, { repeat: 2 }, record],
    ["not for ever", false, { repeat: 3 }, record],
    ["not of a repair, which has its own attempts", false, { cause: "drift" }, record],
    ["not of an order, which has no number", false, {}, unnumbered],
    [
      "not of what may be there",
      false,
      {},
      { ...record, outcome: { kind: "unknown", reason: "?" } },
    ],
    [
      "not of what was refused",
      false,
      {},
      { ...record, outcome: { kind: "rejected", reason: "no" } },
    ],
    ["not of what waits", false, {}, waiting],
  ])("%s: %s", (_, expected, change, ended) => {
    expect(isToRepeat({ ...entry, ...change }, ended)).toBe(expected);
  });

  test("as old as it is, and with its number, so that a later one stands for it", () => {
    const copyId = (...asked: readonly string[]) => intentId(asked.join(" "));
    const stopped = { ...record, exitsOnly: "It is stopped" };
    const again = repeated(entry, stopped, { now: NOW + 10_000, copyId, to: follower() });
    expect(again).toEqual({
      kind: "send",
      entry: {
        ...entry,
        copyId: `${entry.groupId} ${FIRST} again i1`,
        notedAt: NOW + 10_000,
        decisions: ["It was sized", expect.stringMatching(/sent again.*The session has ended/)],
        repeat: 1,
      },
      intent: positionAim(ES, 2),
      seq: 7,
      entryMaxAgeMs: 20_000,
      exitMaxAgeMs: 50_000,
      isExit: false,
      exitsOnly: "It is stopped",
    });
    const later = { now: NOW + 40_000, copyId, to: follower() };
    const late = repeated({ ...entry, repeat: 1 }, record, later);
    expect(late).toMatchObject({ entryMaxAgeMs: 0, exitMaxAgeMs: 20_000, entry: { repeat: 2 } });
  });
});
