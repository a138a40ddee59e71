import { beforeEach, describe, expect, test } from "vitest";
import type { CopyGroup } from "../../../../src/domain/copying/copy-group.ts";
import { accountId, copyGroupId, type IntentId, intentId } from "../../../../src/domain/ids.ts";
import type { DenialCode } from "../../../../src/domain/denials.ts";
import type { IntentRecord } from "../../../../src/domain/intent.ts";
import { CopyGroupDirectory } from "../../../../src/trading/copying/copy-group-directory.ts";
import { CopyOutcomes } from "../../../../src/trading/copying/copy-outcomes.ts";
import { type PlannedCopy, positionAim } from "../../../../src/trading/copying/plan-copies.ts";
import type { CopyEntry, CopySkipped, LoggedCopy } from "../../../../src/trading/copying/ports.ts";
import type { SentCopy } from "../../../../src/trading/copying/send-copies.ts";
import {
  contracts,
  copyEntry,
  ES,
  FIRST,
  follower,
  group,
  LEADER,
  NOW,
  OWNER,
} from "./copy-kit.ts";
import { CopyGroupTable } from "./memory-copy-groups.ts";

const entry = copyEntry({ targetQty: 0 });

/** The session ended right before it was sent. */
const unsent: IntentRecord = {
  intentId: entry.copyId,
  accountId: FIRST,
  userId: OWNER,
  source: { kind: "copy" },
  requestId: "i1",
  intent: positionAim(ES, 0),
  copy: { leader: LEADER, seq: 7 },
  state: "NOTSENT",
  clOrdIds: [],
  acceptedAt: NOW,
  entryExpiresAt: NOW + 30_000,
  exitExpiresAt: NOW + 600_000,
  outcome: { kind: "notSent", reason: "The session has ended" },
};

let sent: SentCopy[];
let measured: IntentId[];
let skipped: [IntentId, string | undefined][];
let counted: boolean[];

beforeEach(() => {
  [sent, measured, skipped, counted] = [[], [], [], []];
});

/** One look of the sweep at the copy, so long after it was accepted. */
async function sweep(of: CopyGroup, afterMs = 1_000, before: CopyGroup[] = []): Promise<void> {
  await sweepLogged({ entry, intent: unsent }, of, { afterMs, before });
}

async function sweepLogged(
  copy: LoggedCopy,
  of: CopyGroup,
  {
    afterMs,
    before = [],
    times = 1,
  }: { readonly afterMs: number; readonly before?: CopyGroup[]; readonly times?: number },
): Promise<void> {
  const table = new CopyGroupTable();
  for (const one of [...before, of]) table.put(one);
  const groups = new CopyGroupDirectory(table, { ...contracts, identityOf: String });
  await groups.load();
  const outcomes = new CopyOutcomes({
    groups,
    intents: { now: async () => NOW + afterMs, find: async () => unsent },
    log: {
      open: async () => [copy],
      note: async ({ copyId }: CopyEntry, why?: CopySkipped) =>
        void skipped.push([copyId, why?.reason]),
      measure: async ({ copyId }: CopyEntry) => void measured.push(copyId),
    },
    news: {
      countRejects: async (_follower: unknown, isRefused: boolean) => {
        counted.push(isRefused);
        return 1;
      },
    },
    send: async (copies: readonly PlannedCopy[]) => {
      for (const copy of copies) if (copy.kind === "send") sent.push(copy);
    },
    copyId: (...asked: readonly string[]) => intentId(asked.join(" ")),
    observer: { copyEnded: () => undefined, copySkipped: () => undefined },
  } as never);
  for (let count = 0; count < times; count += 1) await outcomes.sweep(FIRST);
}

describe("a copy of which nothing left", () => {
  test("is made again, and is no younger by that", async () => {
    await sweep(group(), 9_000);
    expect(sent).toMatchObject([
      { intent: positionAim(ES, 0), seq: 7, entryMaxAgeMs: 21_000, exitMaxAgeMs: 591_000 },
    ]);
    expect(sent[0]?.exitsOnly).toBeUndefined();
    expect(measured).toEqual([entry.copyId]);
  });

  test("only leaves, to a follower that was stopped since", async () => {
    const stopped = { reason: "Too much was refused", at: NOW };
    await sweep(group({ followers: [follower({ stopped })] }));
    expect(sent).toMatchObject([{ exitsOnly: expect.stringMatching(/Too much was refused/) }]);
  });

  test("is not made again once it is too old even for an exit, as after a night", async () => {
    await sweep(group(), 600_000);
    expect([sent, measured]).toEqual([[], [entry.copyId]]);
  });

  test.each<[string, Partial<CopyGroup>]>([
    ["paused", { paused: true }],
    ["switched off", { followers: [follower({ enabled: false })] }],
    ["without it", { followers: [follower({ accountId: accountId("paper-9") })] }],
  ])("is not made again in a group that is %s", async (_, change) => {
    await sweep(group(change));
    expect([sent, measured]).toEqual([[], [entry.copyId]]);
  });

  test("is not made again where accounts follow each other by now", async () => {
    const back = { leader: FIRST, followers: [follower({ accountId: LEADER })] };
    const other = group({ ...back, groupId: copyGroupId("cg_0") });
    await sweep(group(), 1_000, [other]);
    expect([sent, measured]).toEqual([[], [entry.copyId]]);
  });
});

describe("a copy that was noted and never reached its lane", () => {
  test("is open while it may still be on its way there", async () => {
    await sweepLogged({ entry }, group(), { afterMs: 29_000 });
    expect([sent, measured, skipped]).toEqual([[], [], []]);
  });

  test("is told as skipped then, and not as pending for ever", async () => {
    await sweepLogged({ entry }, group(), { afterMs: 31_000 });
    expect([sent, measured]).toEqual([[], []]);
    expect(skipped).toEqual([[entry.copyId, expect.stringMatching(/never reached/)]]);
  });
});

describe("a copy that was denied", () => {
  test.each<[DenialCode, boolean[]]>([
    ["LIMIT_EXCEEDED", [true]],
    ["KILL_SWITCH_ON", []],
    ["STORE_FULL", []],
    ["ACCOUNT_INACTIVE", []],
    ["LOCKED", []],
    ["GUARD_REFUSED", []],
  ])("%s counts as refused: %j", async (code, refusals) => {
    const intent: IntentRecord = {
      ...unsent,
      state: "DENIED",
      outcome: { kind: "denied", code, reason: "no" },
    };
    await sweepLogged({ entry, intent }, group(), { afterMs: 1_000 });
    expect(counted).toEqual(refusals);
    expect(measured).toEqual([entry.copyId]);
  });
});

test("a refusal counts once, though the copy was found open a moment before it ended", async () => {
  const outcome = { kind: "denied", code: "LIMIT_EXCEEDED", reason: "Too large" } as const;
  const intent: IntentRecord = { ...unsent, state: "DENIED", outcome };
  await sweepLogged({ entry, intent }, group(), { afterMs: 1_000, times: 2 });
  expect([counted, measured]).toEqual([[true], [entry.copyId]]);
});
