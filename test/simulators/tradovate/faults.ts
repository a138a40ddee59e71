/** What goes wrong with one request. Where it says so, the request is carried out all the same. */
export type Fault =
  /** The link is cut without a word. With `cutsSockets` all sockets of the user are, too. */
  | { readonly kind: "drop"; readonly isCarriedOut: boolean; readonly cutsSockets?: boolean }
  /** Nothing is answered, while the link stays. */
  | { readonly kind: "silence"; readonly isCarriedOut: boolean }
  /** `{}`: neither a success nor a failure. */
  | { readonly kind: "empty"; readonly isCarriedOut: boolean }
  /** `{"failureReason":"Success"}` without an order's number. */
  | { readonly kind: "successWithoutId"; readonly isCarriedOut: boolean }
  | {
      readonly kind: "status";
      readonly status: number;
      readonly body?: string;
      readonly isCarriedOut?: boolean;
    }
  /** The answer comes late; what was asked is done at once. */
  | { readonly kind: "delay"; readonly ms: number }
  /** A business failure inside 200, and nothing carried out. */
  | { readonly kind: "failure"; readonly failureReason: string; readonly failureText?: string }
  | { readonly kind: "errorText"; readonly errorText: string }
  | {
      readonly kind: "violations";
      readonly constraint: string;
      readonly value?: unknown;
      readonly description?: string;
    }
  /** The penalty: to be asked again with the ticket after so many seconds. */
  | {
      readonly kind: "ticket";
      readonly seconds: number;
      readonly captcha?: boolean;
      /** 200 where it is absent. */
      readonly status?: number;
    }
  /** A list that lacks these, by their ids. */
  | { readonly kind: "omits"; readonly ids: readonly number[] }
  /** Answered with an order's number, and rejected right after. */
  | { readonly kind: "riskReject"; readonly rejectReason?: string; readonly text?: string }
  /** The leg is answered with a number, and does not exist. */
  | { readonly kind: "legMissing"; readonly leg: 1 | 2 }
  /** The order is filled, or gone, between the cancel's or change's arrival and its execution. */
  | { readonly kind: "tooLate" };

/** Which of a user's sockets are meant: those of market data, or those of orders. */
export type SocketKind = "md" | "orders";

export interface PlannedFault {
  readonly fault: Fault;
  /** The endpoint in lower case, or a folder such as `order/`; all commands when absent. */
  readonly endpoint?: string;
  readonly user?: string;
  /** Only what comes by such a socket. */
  readonly socket?: SocketKind;
  /** Only requests whose body has these, for example `{ orderType: "Market" }`. */
  readonly having?: Readonly<Record<string, unknown>>;
  /** How many requests it strikes; 1 when absent. */
  readonly times?: number;
}

/** A command is what may change an order. */
const COMMANDS =
  /^(order\/(?!item|items|list|find|deps|ldeps|suggest|dryrun)|orderstrategy\/start)/;

export function isOrderCommand(endpoint: string): boolean {
  return COMMANDS.test(endpoint);
}

/** A request that a fault may strike; over REST it has no socket. */
export interface Struck {
  readonly endpoint: string;
  readonly user: string | undefined;
  readonly socket: SocketKind | undefined;
  readonly body?: Readonly<Record<string, unknown>>;
}

/** Faults that wait for the next request they fit. */
export class Faults {
  readonly #planned: (PlannedFault & { left: number })[] = [];

  plan(planned: PlannedFault): void {
    this.#planned.push({ ...planned, left: planned.times ?? 1 });
  }

  clear(): void {
    this.#planned.length = 0;
  }

  /** The fault that strikes this request, once. */
  take(struck: Struck): Fault | undefined {
    const index = this.#planned.findIndex((planned) => strikes(planned, struck));
    const planned = this.#planned[index];
    if (planned === undefined) return undefined;
    planned.left -= 1;
    if (planned.left <= 0) this.#planned.splice(index, 1);
    return planned.fault;
  }
}

function strikes(planned: PlannedFault, { endpoint, user, socket, body }: Struck): boolean {
  const wants = Object.entries(planned.having ?? {});
  if (!wants.every(([name, value]) => body?.[name] === value)) return false;
  if (planned.user !== undefined && planned.user !== user) return false;
  if (planned.socket !== undefined && planned.socket !== socket) return false;
  const wanted = planned.endpoint?.toLowerCase();
  if (wanted === undefined) return isOrderCommand(endpoint);
  return wanted.endsWith("/") ? endpoint.startsWith(wanted) : endpoint === wanted;
}
