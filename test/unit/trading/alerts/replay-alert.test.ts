import { describe, expect, test } from "vitest";
import type { Webhook } from "../../../../src/domain/people/credential.ts";
import { intentId } from "../../../../src/domain/ids.ts";
import type { Outcome } from "../../../../src/domain/intent.ts";
import { createReplayAlert } from "../../../../src/trading/alerts/replay-alert.ts";
import type { AlertEntry, LoggedAlert } from "../../../../src/trading/alerts/alert-log.ts";
import {
  ACCOUNT,
  delivery,
  FILLED,
  openReception,
  STOPPED,
  STRANGER,
  webhook,
} from "./alerts-kit.ts";
import { accepted, caller, ended, REFUSED } from "./logged-alerts.ts";
import { MemoryAlertLog } from "./memory-alert-log.ts";

const buyOne = { action: "buy", symbol: "ES1!", qty: 1 };

/** Replays alert `a` by the real reception, with a scripted lane behind it. */
async function replay(
  alert: LoggedAlert,
  hook: Webhook | undefined = webhook,
  earlier?: LoggedAlert,
) {
  const of = earlier && { of: earlier.entry.alertId };
  const kit = await openReception(() => ({ outcome: FILLED, ...of }));
  const alerts = new MemoryAlertLog();
  alerts.alerts.push(alert, ...(earlier === undefined ? [] : [earlier]));
  const replayAlert = createReplayAlert({
    alerts,
    credentials: {
      alertAccounts: async () => [ACCOUNT, STOPPED],
      webhook: async (user, id) => (user === caller.userId && id === hook?.id ? hook : undefined),
    },
    accountGroups: { find: async () => undefined },
    receiveAlerts: kit.receiveAlerts,
  });
  return { kit, answer: async () => await replayAlert(caller, intentId("a")) };
}

describe("an alert of which nothing was sent", () => {
  const reason = "x";

  test.each([
    ["refused", ended("a", REFUSED)],
    ["denied", accepted("a", { kind: "denied", code: "KILL_SWITCH_ON", reason })],
    ["not sent", accepted("a", { kind: "notSent", reason })],
    ["expired", accepted("a", { kind: "expired", reason })],
    ["withdrawn", accepted("a", { kind: "withdrawn", reason })],
    ["lost", accepted("a", { kind: "lost", reason })],
  ])("that was %s is carried out as if it came now", async (_, alert) => {
    const { kit, answer } = await replay(alert);
    expect(await answer()).toMatchObject({ alertId: "a1", settled: { replayed: false } });
    expect(kit.submissions).toMatchObject([
      {
        accountId: ACCOUNT,
        requestId: "r_2",
        receivedAt: caller.receivedAt,
        source: { kind: "webhook", credentialId: "wh_1" },
        entryMaxAgeMs: 60_000,
        intent: { kind: "PLACE", order: { side: "BUY", orderQty: 1 } },
        alert: {
          entry: { replayOf: "a", sender: "192.0.2.1", body: alert.entry.body },
          sameAs: { replayOf: "a", windowMs: 0 },
        },
      },
    ]);
  });

  const sameAsOf = async (entry: Partial<AlertEntry>) => {
    const { kit, answer } = await replay(ended("a", REFUSED, entry));
    await answer();
    return kit.submissions[0]?.alert;
  };

  test("stands behind the alert that its sender sent, however often it is replayed", async () => {
    expect(await sameAsOf({})).toMatchObject({ sameAs: { replayOf: "a" } });
    const again = await sameAsOf({ replayOf: intentId("first") });
    expect(again).toMatchObject({ entry: { replayOf: "first" }, sameAs: { replayOf: "first" } });
  });

  test("goes by its sender's own id and body, so that a late repeat is the same", async () => {
    expect((await sameAsOf({}))?.sameAs).not.toHaveProperty("id");
    const senderAlertId = "X1";
    const kit = await openReception();
    await kit.receiveAlerts(webhook, delivery({ ...buyOne, alertId: senderAlertId }));
    const sent = kit.submissions[0]?.alert;
    const asKept = JSON.parse(JSON.stringify(sent?.entry)) as AlertEntry;
    const named = await sameAsOf({ ...asKept, alertId: intentId("a"), fingerprint: "f", place: 1 });
    expect(named).toMatchObject({
      entry: { senderAlertId, fingerprint: "f", place: 1 },
      sameAs: { id: expect.any(String), body: "f", place: 1, windowMs: 30_000 },
    });
    expect(named?.sameAs?.id).toBe(sent?.sameAs?.id);
  });

  test("is answered with its first replay, and refused behind another one of the same id", async () => {
    const first = accepted("b", FILLED, { replayOf: intentId("a") });
    const again = await replay(ended("a", REFUSED), webhook, first);
    expect(await again.answer()).toMatchObject({ alertId: "b", duplicate: true });
    const repeated = await replay(ended("a", REFUSED), webhook, accepted("b", FILLED));
    await expect(repeated.answer()).rejects.toMatchObject({
      name: "NOT_REPLAYABLE",
      message: expect.stringMatching(/: b, which came with the same alertId, stands for it$/),
    });
    expect(repeated.kit.endings).toMatchObject([{ ending: { kind: "duplicate", of: "b" } }]);
  });

  test("goes to the account that it came for, by a paused webhook too", async () => {
    const moved = { ...webhook, accountId: STOPPED, paused: true };
    const { kit, answer } = await replay(ended("a", REFUSED), moved);
    await answer();
    expect(kit.submissions).toMatchObject([{ accountId: ACCOUNT }]);
  });

  test("is carried out by the webhook's options as they are now", async () => {
    const { kit, answer } = await replay(ended("a", REFUSED), {
      ...webhook,
      options: { multiplier: "3" },
    });
    await answer();
    expect(kit.submissions).toMatchObject([{ intent: { order: { orderQty: 3 } } }]);
  });

  test("is refused again where it still cannot be carried out, and logged once more", async () => {
    const request = {
      kind: "order",
      ticket: { symbol: "ZZZ", side: "BUY", orderQty: 1, ordType: "MARKET" },
    } as const;
    const { kit, answer } = await replay(ended("a", REFUSED, { request }));
    expect(await answer()).toMatchObject({ error: { name: "UNKNOWN_SYMBOL" } });
    expect(kit.endings).toMatchObject([{ entry: { alertId: "a1", replayOf: "a" } }]);
  });

  test("of an account that is stopped now is refused", async () => {
    const { kit, answer } = await replay(ended("a", REFUSED, { accountId: STOPPED }));
    expect(await answer()).toMatchObject({ error: { name: "ACCOUNT_INACTIVE" } });
    expect(kit.submissions).toEqual([]);
  });
});

describe("an alert that is not replayed", () => {
  const reason = "x";
  const test1: Outcome = { kind: "done", result: { kind: "TEST", steps: [] } };
  const unprotected = { kind: "unprotected", canceled: "", reason, restored: false } as const;

  test.each([
    ["it was carried out", accepted("a", FILLED)],
    ["it is under way", accepted("a")],
    ["it is under way", accepted("a", undefined, { intent: { state: "SENDING" } })],
    ["it may be live at the broker", accepted("a", { kind: "unknown", reason })],
    ["it was sent, and the broker refused it", accepted("a", { kind: "rejected", reason })],
    ["it was carried out in part", accepted("a", unprotected)],
    [
      "the alert that it repeats stands for it",
      ended("a", { kind: "duplicate", of: intentId("b") }),
    ],
    ["it was a test", accepted("a", test1)],
    ["it could not be read", unread(ended("a", REFUSED))],
  ])("because %s", async (why, alert) => {
    const { kit, answer } = await replay(alert);
    await expect(answer()).rejects.toMatchObject({
      name: "NOT_REPLAYABLE",
      message: `The alert cannot be replayed: ${why}`,
    });
    expect([kit.submissions, kit.endings]).toEqual([[], []]);
  });

  test.each([
    ["refused", ended("a", REFUSED, { test: true })],
    ["denied", accepted("a", { kind: "denied", code: "KILL_SWITCH_ON", reason }, { test: true })],
    ["expired", accepted("a", { kind: "expired", reason }, { test: true })],
  ])("because it was a test, although it was %s: nothing of it may be sent", async (_, alert) => {
    const { kit, answer } = await replay(alert);
    await expect(answer()).rejects.toMatchObject({
      name: "NOT_REPLAYABLE",
      message: "The alert cannot be replayed: it was a test",
    });
    expect(kit.submissions).toEqual([]);
  });

  test("because its webhook is gone", async () => {
    const { answer } = await replay(ended("a", REFUSED), {
      ...webhook,
      id: "wh_2" as typeof webhook.id,
    });
    await expect(answer()).rejects.toThrow("its webhook was deleted");
  });

  test("because there is none, or it is another user's", async () => {
    const other = await replay(ended("b", REFUSED));
    await expect(other.answer()).rejects.toMatchObject({ name: "NOT_FOUND" });
    const foreign = await replay(ended("a", REFUSED, { userId: STRANGER }));
    await expect(foreign.answer()).rejects.toMatchObject({ name: "NOT_FOUND" });
  });
});

function unread({ entry, ...rest }: LoggedAlert): LoggedAlert {
  const { request: _, ...others } = entry;
  return { entry: others, ...rest } as LoggedAlert;
}
