// The goal: whatever happens on a lane, entries are sent in the order of their acceptance, each at
// most once, none too old, and none while an earlier outcome is unknown.
// The method: random histories of one lane; a broker that loses answers, a store that loses writes.
import fc from "fast-check";
import { expect, test } from "vitest";
import { type IntentId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { isUnsettled } from "../../../../src/domain/intent.ts";
import type { NewOrderSingle } from "../../../../src/domain/order.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { SubmitOutcome } from "../../../../src/trading/ports.ts";
import { ACCOUNT, KEY, openLane, place, position } from "../lane-kit.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

/** How the broker and the store treat one order. */
type Fate = "fine" | "lost, and never there" | "lost, and there" | "not stored";

type Step =
  | { readonly kind: "entry" | "exit"; readonly fate: Fate; readonly ageMs: number }
  | { readonly kind: "settlePending" }
  /** A repeated request asks for an unknown outcome, outside of the lane's turn. */
  | { readonly kind: "settle now" }
  | { readonly kind: "tick"; readonly ms: number }
  | { readonly kind: "withdraw"; readonly nth: number };

const fate = fc.constantFrom<Fate>(
  "fine",
  "fine",
  "lost, and never there",
  "lost, and there",
  "not stored",
);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constantFrom("entry", "entry", "exit"),
    fate,
    ageMs: fc.constantFrom(5_000, 30_000),
  }),
  fc.record({ kind: fc.constantFrom("settlePending" as const, "settle now" as const) }),
  fc.record({ kind: fc.constant("tick" as const), ms: fc.integer({ min: 0, max: 12_000 }) }),
  fc.record({ kind: fc.constant("withdraw" as const), nth: fc.nat(20) }),
);

async function openHistory() {
  const lane = await openLane();
  const { intents, broker } = lane;
  // Short: a purchase is an exit, a sale an entry. Nothing changes that.
  broker.held = [position(-5)];
  const fates = new Map<IntentId, Fate>();
  const accepted: IntentId[] = [];
  const entriesSent: IntentId[] = [];
  const sent: string[] = [];
  const problems: string[] = [];

  broker.submitOrder = async (_account, order): Promise<SubmitOutcome> => {
    const id = intentId(order.clOrdId.replace(/-1$/, ""));
    if (order.side === "SELL") judge(id);
    sent.push(order.clOrdId);
    return answer(id, order);
  };

  function judge(id: IntentId): void {
    const { entryExpiresAt } = lane.record(id);
    if (intents.clock >= entryExpiresAt) problems.push(`${id} was too old`);
    const unsure = accepted.filter((one) => one !== id).map((one) => lane.record(one));
    const open = unsure.find(({ state }) => state === "UNKNOWN" || state === "SENDING");
    if (open !== undefined) problems.push(`${id} left while ${open.intentId} was ${open.state}`);
    entriesSent.push(id);
  }

  function answer(id: IntentId, { clOrdId }: NewOrderSingle): SubmitOutcome {
    const how = fates.get(id);
    if (how === "not stored") {
      intents.before.settle = () => {
        delete intents.before.settle;
        throw new StoreError("Redis refused it", { certainlyNotWritten: true });
      };
    }
    if (how !== "lost, and never there") {
      broker.show({ orderId: orderId(id), clOrdId, ordStatus: "FILLED" });
    }
    const isLost = how === "lost, and there" || how === "lost, and never there";
    return isLost
      ? { kind: "unknown", reason: "Lost" }
      : { kind: "accepted", orderId: orderId(id) };
  }

  const settlePending = async () => await lane.settlePending(ACCOUNT).catch(() => true);
  async function settleNow(): Promise<void> {
    for (const record of await intents.unsettled(ACCOUNT)) {
      if (record.state === "UNKNOWN") await lane.settler.settle(record, broker);
    }
  }
  async function take(one: Step): Promise<void> {
    if (one.kind === "tick") intents.clock += one.ms;
    else if (one.kind === "settlePending") await settlePending();
    else if (one.kind === "settle now") await settleNow();
    else if (one.kind === "withdraw") {
      const id = accepted[one.nth];
      const outcome = { kind: "withdrawn", reason: "Nobody waits" } as const;
      if (id !== undefined) await intents.withdraw(ACCOUNT, id, outcome);
    } else {
      const order = {
        ordType: "LIMIT",
        price: ticks(4_000),
        side: one.kind === "entry" ? "SELL" : "BUY",
      } as const;
      const source = { kind: "webhook", credentialId: KEY } as const;
      const id = await lane.accept(place(order), { source, entryMaxAgeMs: one.ageMs });
      accepted.push(id);
      fates.set(id, one.fate);
      // An outcome that could not be stored is the tending's business.
      await lane.work(id).catch(() => undefined);
    }
  }

  /** Everything is settled in the end, by tending alone. */
  async function finish(): Promise<string[]> {
    for (let round = 0; round < 200 && (await settlePending()); round += 1) intents.clock += 3_000;
    return accepted.filter((id) => isUnsettled(lane.record(id).state));
  }
  return { take, finish, accepted, entriesSent, sent, problems };
}

test("entries leave in the order of their acceptance, once, young enough, and when all before is known", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const history = await openHistory();
      for (const one of steps) await history.take(one);
      expect(await history.finish()).toEqual([]);

      const { accepted, entriesSent, sent, problems } = history;
      expect(problems).toEqual([]);
      expect(entriesSent).toEqual(accepted.filter((id) => entriesSent.includes(id)));
      expect(new Set(sent).size).toBe(sent.length);
    }),
    { numRuns: 1_000 },
  );
});
