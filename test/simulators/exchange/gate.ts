import type { WebSocket } from "ws";
import { type AccountId, accountId, type ClOrdId } from "../../../src/domain/ids.ts";
import type { ExecutionReport } from "../../../src/domain/order.ts";
import type { Desk, DeskOutcome } from "./desk.ts";
import type { EventLog, LogEntry } from "./event-log.ts";
import type { Faults } from "./knobs.ts";
import { ExchangeSession, type SessionHost } from "./session.ts";
import {
  type ExchangeAnswer,
  type ExchangeCommand,
  type ExchangeLogin,
  type ExchangeRead,
  type ExchangeRequestFrame,
  isCommand,
} from "./wire.ts";

export interface GateDeps {
  readonly desk: Desk;
  readonly log: EventLog;
  readonly faults: Faults;
  readonly now: () => number;
}

/** Lets sessions in, one for each connection, and carries their requests to the desk and the log. */
export class Gate {
  readonly #deps: GateDeps;
  readonly #live = new Map<string, ExchangeSession>();
  readonly #connectionOf = new Map<AccountId, string>();
  readonly #host: SessionHost;
  #lastSession = 0;

  constructor(deps: GateDeps) {
    this.#deps = deps;
    this.#host = {
      answer: (session, request) => this.#answer(session, request),
      timing: ({ connection }, request) => ({
        delayMs: deps.faults.delayOf(request),
        reports: deps.faults.reports.get(connection ?? ""),
      }),
      onUnused: (session, request, outcome) => {
        if (isCommand(request)) this.#logCommand(session, request).outcome = outcome;
      },
      onEnd: (session, reason) => this.#ended(session, reason),
    };
  }

  welcome(socket: WebSocket): void {
    this.#lastSession += 1;
    void new ExchangeSession(this.#lastSession, socket, this.#host);
  }

  connectionOf(account: AccountId): string | undefined {
    return this.#connectionOf.get(account);
  }

  /** Cuts the session of the connection, or all of them. */
  closeSessions(connection: string | undefined): void {
    for (const [name, session] of this.#live) {
      if (connection === undefined || connection === name) session.end("Closed by hand");
    }
  }

  /** A report goes to the session that is live now; without one, nobody hears of it. */
  report(account: AccountId, report: ExecutionReport): void {
    const connection = this.#connectionOf.get(account) ?? "";
    const session = this.#live.get(connection);
    const { fill } = report;
    if (fill !== undefined) {
      const { clOrdId, orderId } = fill;
      const what = { op: "fill", outcome: "filled", clOrdId, orderId, fill } as const;
      this.#deps.log.add({ connection, session: session?.number, account, ...what });
    }
    session?.report(account, report);
  }

  #answer(session: ExchangeSession, request: ExchangeRequestFrame): ExchangeAnswer | undefined {
    const { connection } = session;
    if ((connection === undefined) !== (request.op === "login")) {
      session.end("A session begins with its one login");
      return undefined;
    }
    if (request.op === "login") return this.#login(session, request);
    if (request.op === "ping") return { ok: true, result: { lastReport: session.lastReport } };
    return isCommand(request) ? this.#command(session, request) : this.#read(session, request);
  }

  /** The old session's socket is cut before the new one hears that it is in. */
  #login(
    session: ExchangeSession,
    request: ExchangeLogin & { readonly id: number },
  ): ExchangeAnswer | undefined {
    const { connection, accounts } = request;
    const { log, faults, desk } = this.#deps;
    const entry = log.add({
      connection,
      session: session.number,
      op: "login",
      outcome: "accepted",
    });
    const refusal = this.#refusalOf(connection);
    if (refusal !== undefined) {
      const { reason } = refusal;
      entry.outcome = "rejected";
      entry.reason = reason;
      session.endWithAnswer(request, { ok: false, ...refusal }, reason);
      return undefined;
    }
    this.#live.get(connection)?.end("Another login took over");
    session.connection = connection;
    session.accounts = Array.from({ length: accounts }, (_, n) =>
      accountId(`${connection}-${n + 1}`),
    );
    this.#live.set(connection, session);
    for (const account of session.accounts) {
      desk.open(account);
      this.#connectionOf.set(account, connection);
    }
    const answer = { ok: true, result: { session: session.number } } as const;
    if (!faults.dropsAfterLogin.get(connection)) return answer;
    session.endWithAnswer(request, answer, "Dropped after its login");
    return undefined;
  }

  #refusalOf(connection: string) {
    const { faults, now } = this.#deps;
    const turnedAway = faults.turnedAway.get(connection);
    if (turnedAway !== undefined) return { reason: turnedAway.reason, final: turnedAway.over };
    const isRefused = now() < faults.refusedUntil.get(connection);
    return isRefused ? { reason: "Logins are refused for now" } : undefined;
  }

  #command(
    session: ExchangeSession,
    command: ExchangeCommand & { readonly id: number },
  ): ExchangeAnswer | undefined {
    const entry = this.#logCommand(session, command);
    const loss = this.#deps.faults.takeLoss(session.connection ?? "", command);
    if (loss === undefined) return this.#carryOut(session, command, entry);
    // Cut first, so that not even a report tells what became of it.
    session.end("The answer is lost");
    if (loss.isCarriedOut) this.#carryOut(session, command, entry);
    else entry.outcome = "lost";
    return undefined;
  }

  #carryOut(session: ExchangeSession, command: ExchangeCommand, entry: LogEntry): ExchangeAnswer {
    const { faults } = this.#deps;
    const takesDuplicates = faults.duplicates.get(session.connection ?? "") === "accept";
    const outcome = this.#outcomeOf(session, command, takesDuplicates);
    noteOutcome(entry, outcome);
    if (outcome.kind === "rejected") return { ok: false, reason: outcome.reason };
    const { kind: _, ...result } = outcome;
    return { ok: true, result };
  }

  #outcomeOf(
    session: ExchangeSession,
    command: ExchangeCommand,
    takesDuplicates: boolean,
  ): DeskOutcome {
    const { desk, faults } = this.#deps;
    const isOwn = session.accounts.includes(command.account);
    if (!isOwn) return { kind: "rejected", reason: "Unknown account" };
    if (faults.takeRefusal(command)) return { kind: "rejected", reason: "Trading is halted" };
    return desk.carryOut(command, takesDuplicates);
  }

  #read(session: ExchangeSession, request: ExchangeRead): ExchangeAnswer {
    const { desk, faults } = this.#deps;
    if (request.op === "accounts") {
      const result = session.accounts.map((account, n) => ({
        accountId: account,
        name: `Account ${n + 1}`,
        currency: "USD",
        active: desk.isActive(account),
      }));
      return { ok: true, result };
    }
    const { account } = request;
    if (!session.accounts.includes(account)) return { ok: false, reason: "Unknown account" };
    const isNameless = faults.nameless.has(account);
    const named = <Shown extends { readonly clOrdId?: ClOrdId }>({
      clOrdId: name,
      ...rest
    }: Shown) => (isNameless || name === undefined ? rest : { ...rest, clOrdId: name });
    switch (request.op) {
      case "positions":
        return { ok: true, result: desk.positions(account) };
      case "workingOrders":
        return { ok: true, result: desk.workingOrders(account).map(named) };
      case "findOrder":
        return {
          ok: true,
          result: isNameless ? null : (desk.findOrder(account, request.clOrdId) ?? null),
        };
      case "fills":
        return { ok: true, result: desk.fills(account, request.sinceAt).map(named) };
      default:
        return { ok: false, reason: "Unknown operation" };
    }
  }

  #logCommand(
    { connection, number: session }: ExchangeSession,
    { id: requestId, ...command }: ExchangeCommand & { readonly id: number },
  ): LogEntry {
    const { op, account } = command;
    return this.#deps.log.add({
      connection,
      session,
      account,
      op,
      requestId,
      clOrdId: clOrdIdOf(command),
      orderId: orderIdOf(command),
      outcome: "accepted",
      command,
    });
  }

  #ended(session: ExchangeSession, reason: string): void {
    const { connection, number } = session;
    if (connection === undefined) return;
    if (this.#live.get(connection) === session) this.#live.delete(connection);
    this.#deps.log.add({ connection, session: number, op: "end", outcome: "ended", reason });
  }
}

/** Writes into the log how a command ended. */
export function noteOutcome(entry: LogEntry, outcome: DeskOutcome): void {
  entry.outcome = outcome.kind;
  if (outcome.kind === "rejected") entry.reason = outcome.reason;
  else if ("orderId" in outcome) entry.orderId = outcome.orderId;
}

/** The identifier the command brings; of a protection, its first leg's. */
function clOrdIdOf(command: ExchangeCommand): ClOrdId | undefined {
  if (command.op === "submitOrder") return command.order.clOrdId;
  if (command.op === "closePosition") return command.clOrdId;
  if (command.op !== "submitProtection") return undefined;
  const { takeProfit, stopLoss } = command.order;
  return (takeProfit ?? stopLoss)?.clOrdId;
}

function orderIdOf(command: ExchangeCommand) {
  if (command.op === "cancelOrder") return command.orderId;
  return command.op === "modifyOrder" ? command.change.orderId : undefined;
}
