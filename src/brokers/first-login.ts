import { type ConnectionStatus, needsAPerson } from "../domain/connection-status.ts";
import type { ConnectionShare } from "./connection-turn.ts";

interface FirstLoginDeps {
  readonly share: Pick<ConnectionShare, "noteFailure" | "forgetFailure">;
  /** This process cannot even try it. */
  readonly isUnfit: boolean;
  readonly status: () => ConnectionStatus;
  readonly withinMs: number;
}

/**
 * Watches whether a connection that was taken over is ever connected here. While it is not, it counts as
 * failed here: another process may reach the broker where this one does not. A login that the broker's
 * rules put off has not failed, and where a person must act no process is better than another.
 */
export class FirstLogin {
  readonly #deps: FirstLoginDeps;
  readonly #timer: NodeJS.Timeout;
  #hasFailed = false;

  constructor(deps: FirstLoginDeps) {
    this.#deps = deps;
    if (deps.isUnfit) deps.share.noteFailure();
    // Again and again: a failure is forgotten after a while.
    this.#timer = setInterval(() => this.#judge(), deps.withinMs);
  }

  /** A session broke or could not begin. */
  failed(): void {
    this.#hasFailed = true;
  }

  connected(): void {
    this.end();
    this.#deps.share.forgetFailure();
  }

  end(): void {
    clearInterval(this.#timer);
  }

  #judge(): void {
    const { share, isUnfit, status } = this.#deps;
    if (isUnfit || (this.#hasFailed && !needsAPerson(status()))) share.noteFailure();
  }
}
