import type { ContractCode } from "../../domain/contract.ts";
import { joinedBy, without } from "../../domain/copy-drift.ts";
import type { CopyGroup } from "../../domain/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { WaitFor } from "../ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import { joinLate } from "./join-late.ts";
import { holdsAlong } from "./leader-moves.ts";
import { type PlanDeps, planCopies } from "./plan-copies.ts";
import type { PlannedCopy } from "./planned-copy.ts";
import type { CopyNews, LeaderNews } from "./ports.ts";
import type { LeaderTurns } from "./leader-turns.ts";
import type { ReadMirrored } from "./read-mirrored.ts";
import type { SendCopies } from "./send-copies.ts";

export interface CopierDeps extends Omit<PlanDeps, "mirrored"> {
  readonly groups: CopyGroupDirectory;
  readonly news: Pick<CopyNews, "read" | "done">;
  readonly send: SendCopies;
  /** Absent: nothing is mirrored. */
  readonly readMirrored?: ReadMirrored;
  /** Together with it: keeps what is mirrored from changing while fills are copied. */
  readonly inTurn?: LeaderTurns["inTurn"];
  /** Whether this process owns the leader's connection. */
  readonly isHere: (leader: AccountId) => boolean;
  /** What was sent or skipped; told once the store has it. */
  readonly onCopied: (copies: readonly PlannedCopy[]) => void;
  readonly onError: (error: unknown, leader: AccountId) => void;
  readonly waitFor: WaitFor;
}

const RETRY_MS = 1_000;

/**
 * Hands what leaders did on to their followers, one leader's news after another. What was noted is
 * forgotten only when every follower's copy is on its lane or skipped with its reason, so a crash
 * repeats it, and a copy that is there already is not made again.
 */
export class Copier {
  readonly #deps: CopierDeps;
  readonly #running = new Set<AccountId>();
  /** Woken while it ran: it runs once more. */
  readonly #again = new Set<AccountId>();
  readonly #runs = new Set<Promise<void>>();
  #isOver = false;

  constructor(deps: CopierDeps) {
    this.#deps = deps;
  }

  /** Something of the leader may be to be copied. */
  wake(leader: AccountId): void {
    const { groups, isHere } = this.#deps;
    if (this.#isOver || groups.ledBy(leader).length === 0 || !isHere(leader)) return;
    if (this.#running.has(leader)) {
      this.#again.add(leader);
      return;
    }
    this.#running.add(leader);
    const run = this.#run(leader).finally(() => this.#runs.delete(run));
    this.#runs.add(run);
  }

  /** A leader is known whose news were not asked for here before, or words may have been lost. */
  wakeAll(): void {
    for (const leader of this.#deps.groups.leaders()) this.wake(leader);
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#runs);
  }

  async #run(leader: AccountId): Promise<void> {
    const { onError, waitFor } = this.#deps;
    for (;;) {
      this.#again.delete(leader);
      const isDone = await this.#copyInTurn(leader).catch((error: unknown) => {
        onError(error, leader);
        return false;
      });
      if (!isDone && !this.#isOver) await waitFor(RETRY_MS, () => undefined);
      const isToRepeat = !isDone || this.#again.has(leader);
      if (!isToRepeat || this.#isOver || !this.#deps.isHere(leader)) break;
    }
    this.#running.delete(leader);
  }

  async #copyInTurn(leader: AccountId): Promise<boolean> {
    const copy = async () => await this.#copy(leader);
    return await (this.#deps.inTurn?.(leader, copy) ?? copy());
  }

  /** Answers true once nothing is left of what was noted when it began. */
  async #copy(leader: AccountId): Promise<boolean> {
    const { groups, news, send, onCopied } = this.#deps;
    const led = groups.ledBy(leader);
    const readMirrored = await this.#deps.readMirrored?.(leader, led);
    const read = await news.read(leader);
    if (read.fills.length === 0) return true;
    const mirrored = await readMirrored?.(read);
    const copies = planCopies({ ...this.#deps, ...(mirrored && { mirrored }) }, led, read);
    await send(copies);
    onCopied(copies);
    await this.#joinMissed(copies);
    await this.#endJoining(groups.ledBy(leader), read, copies);
    await news.done(
      leader,
      read.fills.map(({ seq }) => seq),
    );
    return true;
  }

  async #joinMissed(copies: readonly PlannedCopy[]): Promise<void> {
    for (const copy of copies) {
      if (copy.kind !== "skip" || copy.missed === undefined) continue;
      await joinLate(this.#deps.groups, copy.entry, copy.missed);
    }
  }

  /** Whoever may not enter the leader's new trade has not joined by it. */
  async #endJoining(
    groups: readonly CopyGroup[],
    news: LeaderNews,
    copies: readonly PlannedCopy[],
  ): Promise<void> {
    const { cycleOf, groups: directory } = this.#deps;
    const along = holdsAlong(news);
    for (const { groupId, followers } of groups) {
      for (const follower of followers) {
        const joined = joinedBy(follower, along, cycleOf).filter(
          (contract) => !copies.some((copy) => isKeptOut(copy, follower.accountId, contract)),
        );
        if (joined.length === 0) continue;
        await directory.changeFollower(groupId, follower.accountId, (one) => without(one, joined));
      }
    }
  }
}

function isKeptOut(copy: PlannedCopy, account: AccountId, contract: ContractCode): boolean {
  const { follower, targetQty = 0 } = copy.entry;
  if (follower !== account) return false;
  if (copy.kind === "skip") return copy.missed === contract;
  return copy.entry.contract === contract && copy.exitsOnly !== undefined && targetQty !== 0;
}
