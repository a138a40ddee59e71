import type { Quote } from "../../../src/brokers/paper/exchange/contract-book.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { AccountId } from "../../../src/domain/ids.ts";
import { Desk, type DeskOutcome } from "../exchange/desk.ts";
import { openingQuote } from "../exchange/market.ts";
import { type Answer, ok } from "./answer.ts";
import type { EventHub } from "./event-hub.ts";
import type { ClientCommand, OrderJournal, Reported } from "./order-journal.ts";
import type { Settings } from "./settings.ts";
import type { User } from "./users.ts";

export interface CoreRunnerDeps {
  readonly journal: OrderJournal;
  readonly hub: EventHub;
  readonly now: () => number;
  readonly settings: (account: AccountId) => Settings;
  readonly userSettings: (user: string) => Settings;
  readonly onQuote: (contract: ContractCode) => void;
}

export interface Run {
  readonly outcome: DeskOutcome;
  readonly reports: readonly Reported[];
}

/** The matching core: what it reports while it runs is kept, and told in one go when it is done. */
export class CoreRunner {
  readonly desk: Desk;
  readonly #deps: CoreRunnerDeps;
  readonly #watchers: (() => void)[] = [];
  readonly #quotes = new Map<ContractCode, Quote>();
  #captured: Reported[] | undefined;
  #isLinking = true;

  constructor(deps: CoreRunnerDeps) {
    this.#deps = deps;
    this.desk = new Desk({
      now: deps.now,
      onReport: (account, report) => {
        if (this.#captured !== undefined) this.#captured.push({ account, report });
        else this.tell([{ account, report }]);
      },
      abilities: (account) => ({
        nativeBracket: true,
        // Asked when a pair is made: only then does the link matter.
        nativeOco: this.#isLinking,
        cancelEndsLinkedLeg: deps.settings(account).cancelEndsSibling,
      }),
    });
  }

  /** Called after each telling: for what follows from how orders stand then. */
  onTold(watcher: () => void): void {
    this.#watchers.push(watcher);
  }

  /** Whatever may move the market or the clock. */
  disturb(act: () => void): void {
    this.#deps.hub.run(undefined, () => this.tell(this.#capture(act))).release();
  }

  setQuote(contract: ContractCode, quote: Quote): void {
    this.#quotes.set(contract, quote);
    this.disturb(() => this.desk.setQuote(contract, quote));
    this.#deps.onQuote(contract);
  }

  /** The street's prices; before any was set, the ones that the first order would meet. */
  quoteOf(contract: ContractCode): Quote {
    return this.#quotes.get(contract) ?? openingQuote(contract);
  }

  run(act: () => DeskOutcome): Run {
    let outcome: DeskOutcome = { kind: "accepted" };
    const reports = this.#capture(() => {
      outcome = act();
    });
    return { outcome, reports };
  }

  /** The same, with the legs of a bracket left unlinked where that is asked for. */
  runLinking(isLinking: boolean, act: () => DeskOutcome): Run {
    this.#isLinking = isLinking;
    try {
      return this.run(act);
    } finally {
      this.#isLinking = true;
    }
  }

  /** Returns the id of the client's command, when there was one. */
  tell(reports: readonly Reported[], command?: ClientCommand): number | undefined {
    const commandId = this.#deps.journal.tell(reports, command);
    for (const watcher of this.#watchers) watcher();
    return commandId;
  }

  /** An answer whose events go out before it or after it, as the user's settings say. */
  answer(user: User, act: () => object): Answer {
    const { events } = this.#deps.userSettings(user.name);
    const isHeld = events.order === "afterAnswer";
    return this.#batch(isHeld ? user : undefined, act);
  }

  /** An answer that is out before its events, whatever the settings say. */
  answerFirst(user: User, act: () => object): Answer {
    return this.#batch(user, act);
  }

  #batch(held: User | undefined, act: () => object): Answer {
    const { result, release } = this.#deps.hub.run(held, act);
    return { ...ok(result), afterwards: release };
  }

  #capture(act: () => void): readonly Reported[] {
    const before = this.#captured;
    const captured: Reported[] = [];
    this.#captured = captured;
    try {
      act();
    } finally {
      this.#captured = before;
    }
    return captured;
  }
}
