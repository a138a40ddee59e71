import { Body } from "./request.ts";

/** What goes wrong with a request. `isCarriedOut` says whether the broker does what was asked. */
export type Fault =
  /** The connection is cut without an answer; with `cutsHubs` the user's hubs too. */
  | { readonly kind: "drop"; readonly isCarriedOut: boolean; readonly cutsHubs?: boolean }
  /** No answer, and the connection stays. */
  | { readonly kind: "silence"; readonly isCarriedOut: boolean }
  | { readonly kind: "delay"; readonly ms: number }
  /** Carried out at once, and answered when the test lets it go. */
  | { readonly kind: "hold" }
  /** This status with this body. */
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly isCarriedOut?: boolean;
    }
  /** An answer that is `{}`, and one that is no JSON. */
  | { readonly kind: "empty" | "garbage"; readonly isCarriedOut: boolean }
  /** The envelope says this code: 6 and 7 say nothing of what became of an order. */
  | {
      readonly kind: "code";
      readonly code: number;
      readonly message?: string;
      readonly isCarriedOut: boolean;
    }
  /** An order is taken, and refused a moment later by the hub's word alone. */
  | { readonly kind: "rejectLater"; readonly afterMs?: number };

export interface PlannedFault {
  readonly fault: Fault;
  /** `Order/place`, or `Order/` for all below it, or `*`; order commands where it is absent. */
  readonly path?: string;
  readonly user?: string;
  /** Only requests whose body has these: `{ type: 2 }` is an order at the market. */
  readonly having?: Readonly<Record<string, unknown>>;
  readonly times?: number;
}

const COMMANDS: ReadonlySet<string> = new Set([
  "Order/place",
  "Order/cancel",
  "Order/modify",
  "Position/closeContract",
  "Position/partialCloseContract",
]);

/** Faults that were planned, in the order in which they come. */
export class Faults {
  #planned: (PlannedFault & { left: number })[] = [];
  #held: { readonly user: string | undefined; readonly answer: () => void }[] = [];

  plan(fault: PlannedFault): void {
    this.#planned.push({ ...fault, left: fault.times ?? 1 });
  }

  forget(user?: string): void {
    this.#planned = this.#planned.filter((each) => user !== undefined && each.user !== user);
  }

  /** How many are still to come. */
  left(user: string): number {
    return this.#planned
      .filter((each) => each.user === user)
      .reduce((sum, { left }) => sum + left, 0);
  }

  /** An answer waits until the test lets it go. */
  hold(user: string | undefined, answer: () => void): void {
    this.#held.push({ user, answer });
  }

  /** How many answers wait. */
  held(user: string): number {
    return this.#held.filter((each) => each.user === user).length;
  }

  letGo(user: string): void {
    const own = this.#held.filter((each) => each.user === user);
    this.#held = this.#held.filter((each) => each.user !== user);
    for (const { answer } of own) answer();
  }

  take(path: string, user: string | undefined, text = ""): Fault | undefined {
    const next = this.#planned.find((each) => isFor(each, path, user) && has(each, text));
    if (next === undefined) return undefined;
    next.left -= 1;
    if (next.left <= 0) this.#planned = this.#planned.filter((each) => each !== next);
    return next.fault;
  }
}

export const isCommand = (path: string): boolean => COMMANDS.has(path);

function has({ having }: PlannedFault, text: string): boolean {
  if (having === undefined) return true;
  const body = Body.parse(text).fields;
  return Object.entries(having).every(([name, value]) => body[name] === value);
}

function isFor({ path: wanted, user: of }: PlannedFault, path: string, user: string | undefined) {
  if (of !== undefined && of !== user) return false;
  if (wanted === undefined) return isCommand(path);
  if (wanted === "*") return true;
  return wanted.endsWith("/") ? path.startsWith(wanted) : wanted === path;
}
