import { hash, verify } from "@node-rs/argon2";
import { GatewayError } from "../errors.ts";
import type { Passwords } from "../trading/people/ports.ts";

/** OWASP's first choice for argon2id, which is what the package does: some 50 ms and 19 MiB each. */
const OPTIONS = { memoryCost: 19_456, timeCost: 2, parallelism: 1 } as const;

/** A hash by the same options of a password that nobody knows. */
const OF_NOBODY =
  "$argon2id$v=19$m=19456,t=2,p=1$O9+xNE3QgxvKBGZ0LujEOA$9VcAr5ocwKtOH68HUwJ6y7u7RYExZib40jPSa3rpke4";

/** The threads that hash are those that look names up and read files. */
const AT_ONCE = 2;
/** Some 1.5 s of work; who comes then would wait longer than browsers' users do. */
const MOST_WAITING = 60;

/** argon2id, a few at a time. */
export function createPasswords(): Passwords {
  const inTurn = createTurns(AT_ONCE, MOST_WAITING);
  return {
    hash: async (password) => await inTurn(async () => await hash(plain(password), OPTIONS)),

    verify: async (known, password) => {
      const isRight = await inTurn(async () => await verify(known ?? OF_NOBODY, plain(password)));
      return isRight && known !== undefined;
    },
  };
}

/** One accented letter has several encodings, and which one is sent depends on the keyboard. */
const plain = (password: string): string => password.normalize("NFC");

/** Lets a few run, and a bounded number wait for their turn in the order they came. */
export function createTurns(atOnce: number, mostWaiting: number) {
  const waiting: (() => void)[] = [];
  let running = 0;

  return async function inTurn<Value>(work: () => Promise<Value>): Promise<Value> {
    if (running < atOnce) running += 1;
    else {
      if (waiting.length >= mostWaiting) {
        throw new GatewayError("SIGN_IN_BUSY", "Too many sign in at once; try again");
      }
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
    try {
      return await work();
    } finally {
      // The place goes to the next one, so that nobody who comes now is before it.
      const next = waiting.shift();
      if (next === undefined) running -= 1;
      else next();
    }
  };
}
