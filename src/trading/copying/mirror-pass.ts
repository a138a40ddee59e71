import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import { mirroredQty, type MirrorStep } from "../../domain/copying/copy-mirror.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import type { CopyOutcomes } from "./copy-outcomes.ts";
import type { LeaderTurns } from "./leader-turns.ts";
import { askOf, type MirrorCopyDeps, newMirror, toMirrorCopy } from "./mirror-copies.ts";
import type { Ask, Attempt } from "./mirror-memory.ts";
import {
  type FollowerPlan,
  type LeaderNow,
  type Mirroring,
  planFollower,
  type PlanFollowerDeps,
} from "./plan-follower.ts";
import type { BrokerNow, PlannedCopy } from "./plan-copies.ts";
import type { CopyMirrors, MirrorPair } from "./ports.ts";
import { readOrders, readWorking } from "./read-holds.ts";
import type { SendCopies } from "./send-copies.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface MirrorPassDeps extends PlanFollowerDeps, MirrorCopyDeps {
  readonly groups: Pick<CopyGroupDirectory, "ledBy">;
  readonly intents: Pick<IntentStore, "find" | "withdraw" | "now">;
  readonly mirrors: Pick<CopyMirrors, "list" | "note" | "forget">;
  readonly outcomes: Pick<CopyOutcomes, "isOpen" | "isBusy">;
  readonly send: SendCopies;
  readonly brokerNow: BrokerNow;
  readonly inTurn: LeaderTurns["inTurn"];
  /** What was sent or skipped; told once the store has it. */
  readonly onCopied: (copies: readonly PlannedCopy[]) => void;
}

/** Contracts by the followers whose orders and their leader's fill at different times now. */
export type FillsApartNow = ReadonlyMap<AccountId, ReadonlySet<ContractCode>>;

export interface MirrorsSeen {
  readonly apart: FillsApartNow;
  /** Something is to be seen a second time before it is done. */
  readonly isUnsure: boolean;
  /** Something was done, or is on its way to a follower. */
  readonly isMoving: boolean;
  /** Something works for the leader. */
  readonly works: boolean;
}

/** Compares a leader with its followers once, and puts what is missing on their lanes. */
export type MirrorPass = (
  leader: AccountId,
  /** Every account that has orders which stand for the leader's. */
  pairs: readonly MirrorPair[],
) => Promise<MirrorsSeen>;

const NOTHING_SEEN: MirrorsSeen = {
  apart: new Map(),
  isUnsure: false,
  isMoving: false,
  works: false,
};

type PlaceStep = Extract<MirrorStep, { kind: "place" }>;

interface Planned {
  readonly of: FollowerPlan["of"];
  readonly step: MirrorStep;
  readonly copy: PlannedCopy;
  /** Absent of what is sent once. */
  readonly asked?: { readonly ask: Ask; readonly attempt: Attempt };
}

/** What is too large yet after so many changes is cancelled. */
const MOST_CHANGES = 3;

export function createMirrorPass(deps: MirrorPassDeps): MirrorPass {
  const { groups, intents, mirrors, send, inTurn, onCopied, memory, outcomes, brokerNow } = deps;

  return async function mirrorPass(leader, pairs) {
    const mirroring = mirroringOf(groups.ledBy(leader), leader, pairs);
    if (mirroring.length === 0) return NOTHING_SEEN;
    const has = await readOrders(deps, leader);
    const now = await intents.now();
    const at = { leader, has, now, brokerNow: brokerNow(leader, now) };
    const tried = await Promise.allSettled(mirroring.map((one) => planFollower(deps, at, one)));
    const plans = tried.map((plan) => (plan.status === "fulfilled" ? plan.value : undefined));
    const known = plans.filter((plan) => plan !== undefined);
    const { plans: noted, seenAt } = await note(at, known);
    const planned = noted.map(toPlanned);
    const ready = planned.flatMap((one) => one.ready);
    if (ready.length > 0) await carryOut(ready, seenAt);
    // One that could not be planned keeps nobody else from what is due.
    const failed = tried.find((plan) => plan.status === "rejected");
    if (failed !== undefined) throw failed.reason;
    const apart = new Map(known.map((plan) => [plan.of.follower, plan.apart]));
    return {
      apart,
      isUnsure: planned.some(({ isUnsure }) => isUnsure),
      isMoving: ready.length > 0 || mirroring.some(({ account }) => outcomes.isBusy(account)),
      works: has.working.length > 0,
    };
  };

  /**
   * A new order is accepted a moment after its leader's was seen working, or never, however long this
   * process stood still in between: another one may have the leader by then, and take it for over. What
   * was sent beside it is noted all the same.
   */
  async function carryOut(ready: readonly Planned[], seenAt: number): Promise<void> {
    const inOrder = ready.toSorted(
      ({ copy: one }, { copy: other }) => Number(other.isExit) - Number(one.isExit),
    );
    const now = await intents.now();
    const tried = await Promise.allSettled(
      inOrder.map(async ({ copy, step }) => {
        const isPlaced = step.kind === "place" && copy.kind === "send";
        await send([isPlaced ? { ...copy, seenAt } : copy], now);
      }),
    );
    await noteSent(inOrder.filter((_, n) => tried[n]?.status === "fulfilled"));
    const failed = tried.find((one) => one.status === "rejected");
    if (failed !== undefined) throw failed.reason;
  }

  async function noteSent(sent: readonly Planned[]): Promise<void> {
    onCopied(sent.map(({ copy }) => copy));
    for (const { copy, asked } of sent) {
      if (asked !== undefined) memory.noteAsked(asked.ask, asked.attempt);
      else if (copy.kind === "skip") memory.noteSkipped(copy.entry.copyId);
      else memory.noteSent(copy.entry.copyId);
    }
    await Promise.all(sent.map(noteCanceled));
  }

  /** From here on, what the leader's order fills is copied as fills again. */
  async function noteCanceled({ of, step }: Planned): Promise<void> {
    if (step.kind !== "cancel") return;
    await mirrors.note(of.follower, { ...step.mirror, isEnded: true });
  }

  /** What is sent already, or must be seen again first, is left out. */
  function toPlanned({ of, steps }: FollowerPlan): {
    readonly ready: readonly Planned[];
    readonly isUnsure: boolean;
  } {
    const planned = steps
      .map((step) => planOne(of, step))
      .filter((one): one is Planned => one !== undefined);
    const isUnsure = ({ step }: Planned) => "isSure" in step && !step.isSure;
    const idOf = ({ copy }: Planned) => copy.entry.copyId;
    const believed = memory.believed(of.follower, planned.filter(isUnsure).map(idOf));
    const ready = planned.filter((one) => !isUnsure(one) || believed.has(idOf(one)));
    return { ready, isUnsure: ready.length < planned.length };
  }

  function planOne(of: FollowerPlan["of"], step: MirrorStep): Planned | undefined {
    const ask = askOf(of, step);
    if (ask === undefined) return planOnce(of, step);
    const attempt = memory.nextAttempt(ask);
    if (attempt === undefined) return undefined;
    if (step.kind === "change" && step.isTooLarge && attempt.inVain >= MOST_CHANGES) {
      return planOne(of, insteadOf(step));
    }
    return { of, step, copy: toMirrorCopy(deps, of, step, attempt.nth), asked: { ask, attempt } };
  }

  function planOnce(of: FollowerPlan["of"], step: MirrorStep): Planned | undefined {
    const copy = toMirrorCopy(deps, of, step, 1);
    const { copyId } = copy.entry;
    const isKnown = copy.kind === "skip" ? memory.wasSkipped(copyId) : memory.wasSent(copyId);
    return isKnown ? undefined : { of, step, copy };
  }

  /**
   * What is new is noted with what of the leader's order has filled by then: that is copied as fills,
   * and what fills from then on is not. No fill is copied meanwhile. Nothing is placed for an order that
   * works no more; `seenAt` is the store's clock before it was looked.
   */
  async function note(
    { leader, now }: LeaderNow,
    plans: readonly FollowerPlan[],
  ): Promise<{ readonly plans: readonly FollowerPlan[]; readonly seenAt: number }> {
    if (!plans.some(({ steps }) => steps.some(isPlace))) return { plans, seenAt: now };
    return await inTurn(leader, async () => {
      const seenAt = await intents.now();
      const { working } = await readWorking(deps, leader);
      const noted = await Promise.all(
        plans.map(async (plan) => {
          const steps = await Promise.all(
            plan.steps.map(async (step) =>
              isPlace(step) ? await noteNew(plan, step, working) : step,
            ),
          );
          return { ...plan, steps: steps.filter((step) => step !== undefined) };
        }),
      );
      return { plans: noted, seenAt };
    });
  }

  async function noteNew(
    { of, following }: FollowerPlan,
    step: PlaceStep,
    working: readonly OrderReport[],
  ): Promise<PlaceStep | undefined> {
    const { orderId } = step.leaderOrder;
    const leaderOrder = working.find((order) => order.orderId === orderId);
    if (leaderOrder === undefined || following === undefined) return undefined;
    if (step.mirror !== undefined) return step;
    const mirror = newMirror(deps, of, { ...step, leaderOrder });
    const most = mirroredQty(following, mirror, leaderOrder.orderQty);
    const orderQty = Math.min(step.order.orderQty, most);
    if (orderQty === 0) return undefined;
    await mirrors.note(of.follower, mirror);
    return { ...step, order: { ...step.order, orderQty } };
  }
}

function insteadOf({ mirror, own }: Extract<MirrorStep, { kind: "change" }>): MirrorStep {
  const reason = `It works for too much, and ${MOST_CHANGES} changes did not help`;
  return { kind: "cancel", mirror, own, reason, isSure: false };
}

const isPlace = (step: MirrorStep): step is PlaceStep => step.kind === "place";

/** Those whose group mirrors the leader's orders, and those that have something left of one that did. */
function mirroringOf(
  groups: readonly CopyGroup[],
  leader: AccountId,
  pairs: readonly MirrorPair[],
): readonly Mirroring[] {
  const following = groups
    .filter(({ mode }) => mode === "orders")
    .flatMap((group) =>
      group.followers.map((follower) => ({
        account: follower.accountId,
        following: { group, follower },
      })),
    );
  const accounts = new Set(following.map(({ account }) => account));
  const left = pairs
    .filter((pair) => pair.leader === leader && !accounts.has(pair.follower))
    .map(({ follower }) => ({ account: follower }));
  return [...following, ...left];
}
