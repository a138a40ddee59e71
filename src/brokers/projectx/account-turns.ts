/** How one command of an account stands to those behind it. */
interface Turn {
  /** Everything up to it has been answered. */
  readonly ended: Promise<unknown>;
  /** Every command up to it that lowers risk has been sent. */
  readonly begun: Promise<unknown>;
}

/** So long a command that lowers risk waits for the answer to what was sent before it. */
const EXIT_WAITS_MS = 1_000;

/**
 * Commands of one account reach the broker in the order in which they were given. Each is a request of
 * its own, on whichever connection is free, so each waits for the answer to the one before. What lowers
 * risk does not wait for one that hangs: it passes it after a while, and keeps its place among its like.
 */
export class AccountTurns {
  readonly #last = new Map<string, Turn>();

  /** Runs `send` when it is the command's turn, and answers what it does. */
  async take<Result>(
    account: string,
    isExit: boolean,
    send: () => Promise<Result>,
  ): Promise<Result> {
    const before = this.#last.get(account) ?? FREE;
    const [begun, begin] = gate();
    const [ended, end] = gate();
    const turn = {
      ended: Promise.all([before.ended, ended]),
      begun: isExit ? begun : before.begun,
    };
    this.#last.set(account, turn);
    try {
      await (isExit ? passes(before) : before.ended);
      begin();
      return await send();
    } finally {
      begin();
      end();
      void turn.ended.then(() => this.#forget(account, turn));
    }
  }

  /** The account has nothing under way any more: one that passed others ends before they do. */
  #forget(account: string, turn: Turn): void {
    if (this.#last.get(account) === turn) this.#last.delete(account);
  }
}

const FREE: Turn = { ended: Promise.resolve(), begun: Promise.resolve() };

function gate(): readonly [Promise<void>, () => void] {
  let open = (): void => undefined;
  const opened = new Promise<void>((resolve) => (open = resolve));
  return [opened, open];
}

/** All before is answered, or what was to go before it has gone and the rest was waited for. */
async function passes({ ended, begun }: Turn): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const waited = async () => {
    await begun;
    await new Promise((resolve) => (timer = setTimeout(resolve, EXIT_WAITS_MS)));
  };
  await Promise.race([ended, waited()]);
  clearTimeout(timer);
}
