import { checkForm, formOf } from "./forms.ts";
import { HUB_DEFAULTS, type HubSettings } from "./hub-settings.ts";
import { SETTING_FORMS } from "./setting-forms.ts";

/** How the broker behaves. What no document says is a setting, with its other answers beside it. */
export interface Settings extends HubSettings {
  /** How long a token lives [OFF: 24 h]. */
  readonly tokenLifeMs: number;
  /** Requests in a rolling minute, and for bars in rolling 30 s [OFF]. */
  readonly requestsPerMinute: number;
  readonly barsPerHalfMinute: number;
  /** "Auto OCO Brackets" or "Position Brackets", as the user has set it on the platform [COM]. */
  readonly bracketMode: "autoOco" | "positionBrackets";
  /**
   * What becomes of an entry with brackets under "Position Brackets", whose refusal names it [COM]: it is
   * kept as rejected [COM], or works without them all the same [unknown].
   */
  readonly refusedEntry: "rejected" | "works";
  /** The least ticks that a leg is away from its entry [COM]. */
  readonly leastTicks: number;
  /**
   * When children go live of an entry that is filled in parts, and for how much [unknown]: with each
   * fill for what is filled, once for what the first fill brought, or once it is filled to the last.
   */
  readonly childrenOn: "eachFill" | "firstFill" | "fullFill";
  /** What becomes of children that have filled what there is while their entry may fill more [unknown]. */
  readonly usedUpChildren: "end" | "wait";
  /** How children that wait are told on the hub: at once [CAP], only once they are live, or never. */
  readonly tellsChildren: "waiting" | "live" | "never";
  /** What a child's part fill does to the other one [unknown]. */
  readonly siblingOnPartFill: "shrinks" | "stays";
  /** What the cancel of a live child does to the other one [unknown]. */
  readonly siblingOnCancel: "stays" | "ends";
  /** What an exit by another order, that leaves some of the position, does to live children [COM]. */
  readonly partialExit: "keepsChildren" | "endsChildren";
  /** What becomes of a change of a child that waits [unknown]. */
  readonly modifySuspended: "works" | "refused" | "passedOver";
  /** Whether the size of a child can be changed [unknown]. */
  readonly modifyChildSize: "works" | "refused";
  /** New orders and trades are in no list for so long [unknown]. */
  readonly listLagMs: number;
  /** Lists of orders and positions show them as they were so long ago [unknown]. */
  readonly staleListsMs: number;
  /** An order that is taken is pending for so long, before the exchange sees it [unknown]. */
  readonly placeTakesMs: number;
  /** A cancel that is taken is pending for so long; the order may be filled meanwhile [unknown]. */
  readonly cancelTakesMs: number;
  /** Whether orders that are pending, or whose cancel is, are in `Order/search` [COM: they are not]. */
  readonly searchShowsPending: boolean;
  /** Whether `Order/v2/query` finds children that wait [COM, against other reports]. */
  readonly queryShowsSuspended: boolean;
  /** Whether `Order/v2/query` heeds its `contractId` [OFF]; it was measured that it does not [COM]. */
  readonly queryHeedsContract: boolean;
  /** Until when orders stay that nobody cancels [unknown]. */
  readonly ordersLast: "untilCanceled" | "day";
  /** What `trailPrice` is: a distance, as the hub has it [CAP], or a price. */
  readonly trailPriceIs: "distance" | "price";
  /** What becomes of `linkedOrderId` in an order: the older documents have it, the newer do not. */
  readonly linkedOrderId: "passedOver" | "links";
  /** How `Auth/validate` refuses a token: as all else does, or by its own codes [OFF has both]. */
  readonly validateRefuses: "status" | "code";
  /** What `live: true` finds for who has no such subscription [unknown]. */
  readonly liveContracts: "served" | "empty";
  /** The hub tells of a command before its answer, or after it [unknown]. */
  readonly events: "beforeAnswer" | "afterAnswer";
  /** A trade is told before its order is, or after it [unknown]. */
  readonly tradeFirst: boolean;
  /** Answers come so much later; of everything, or of orders and changes of them alone. */
  readonly answerDelayMs: number;
  readonly delaysCommandsOnly: boolean;
  /**
   * The accounts that may cancel: simulated ones [OFF], all of them [COM: older clients], or none, as
   * if each followed another account [OFF].
   */
  readonly cancels: "simulated" | "all" | "none";
  /** What one contract costs on each side, in dollars. */
  readonly feePerSide: string;
}

export const DEFAULTS: Settings = {
  ...HUB_DEFAULTS,
  tokenLifeMs: 24 * 60 * 60_000,
  requestsPerMinute: 200,
  barsPerHalfMinute: 50,
  bracketMode: "autoOco",
  refusedEntry: "rejected",
  leastTicks: 4,
  childrenOn: "eachFill",
  usedUpChildren: "end",
  tellsChildren: "waiting",
  siblingOnPartFill: "shrinks",
  siblingOnCancel: "stays",
  partialExit: "keepsChildren",
  modifySuspended: "works",
  modifyChildSize: "works",
  listLagMs: 0,
  staleListsMs: 0,
  placeTakesMs: 0,
  cancelTakesMs: 0,
  searchShowsPending: false,
  queryShowsSuspended: false,
  queryHeedsContract: true,
  ordersLast: "untilCanceled",
  trailPriceIs: "distance",
  linkedOrderId: "passedOver",
  validateRefuses: "status",
  liveContracts: "served",
  events: "beforeAnswer",
  tradeFirst: false,
  answerDelayMs: 0,
  delaysCommandsOnly: false,
  cancels: "simulated",
  feePerSide: "0",
};

/** Settings of all users, and of single ones over them. */
export class SettingsBook {
  #all: Settings = DEFAULTS;
  readonly #own = new Map<string, Partial<Settings>>();

  of(user: string | undefined): Settings {
    const own = user === undefined ? undefined : this.#own.get(user);
    return own === undefined ? this.#all : { ...this.#all, ...own };
  }

  /** Throws where it does not know a setting, or what it is set to. */
  set(change: Partial<Settings>, user?: string): void {
    checkForm("setting", { ...DEFAULTS, ...change }, formOf(SETTING_FORMS));
    if (user === undefined) this.#all = { ...this.#all, ...change };
    else this.#own.set(user, { ...this.#own.get(user), ...change });
  }

  reset(user?: string): void {
    if (user !== undefined) {
      this.#own.delete(user);
      return;
    }
    this.#all = DEFAULTS;
    this.#own.clear();
  }
}
