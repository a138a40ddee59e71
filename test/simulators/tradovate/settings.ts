import type { EntityType } from "./entities.ts";
import { MARKET_DATA_DEFAULTS, type MarketDataSettings } from "./market-data-settings.ts";
import { MONEY_DEFAULTS, type MoneySettings } from "./money-settings.ts";
import { RISK_DEFAULTS, type RiskSettings } from "./risk-settings.ts";

/** How often something may be asked. What is absent has no limit. */
export interface Limit {
  readonly perHour?: number;
  readonly perMinute?: number;
  readonly perSecond?: number;
  /** The shortest time between two requests. Published as a back-off; enforced only when set. */
  readonly gapMs?: number;
}

/**
 * How the broker behaves until it is told otherwise. Each has a default that follows the sources, or
 * is our guess where they are silent; the README says which. All of them may be set for one user.
 */
export interface Settings extends MarketDataSettings, MoneySettings, RiskSettings {
  // Sessions
  readonly tokenLifeMs: number;
  readonly sessionLimit: number;
  /** What a call with the token of a session answers that a later login ended. */
  readonly killedSessionStatus: 401 | 408 | 502;
  /** What becomes of that session's sockets. `silent` leaves the TCP connection up. */
  readonly killedSockets: "shutdown" | "close" | "silent" | "keep";
  /** What a socket whose session's tokens have all expired does: refuse requests, end, or go on. */
  readonly expiredSocket: "refuse" | "cut" | "keep";
  readonly environment: "demo" | "live";
  /** Whether orders are answered 401 to a session that logged in without `deviceId`. */
  readonly deviceIdForOrders: "live" | "always" | "never";
  /** What every login is told; null lets them in. */
  readonly loginError: string | null;
  /** Tokens are refused as another environment's are: 403. */
  readonly wrongEnvironment: boolean;

  // Limits
  readonly userLimit: Limit;
  readonly endpointLimits: Readonly<Record<string, Limit>>;
  readonly lockoutMs: number;
  /** Whether the first request over a limit is warned by 423. */
  readonly warnsBeforeLockout: boolean;

  // The socket
  readonly sendsOpen: boolean;
  readonly heartbeatMs: number;
  /** A client that sends nothing for so long is dropped. 0 never. */
  readonly dropsSilentAfterMs: number;
  readonly authoriseWithinMs: number;
  readonly takesQuotedToken: boolean;
  readonly takesMdToken: boolean;
  /** Whether what is to be sent in the same turn goes out as one frame. */
  readonly batchesFrames: boolean;
  readonly maintenance: boolean;
  /** How many sockets a user may have; the oldest is closed for one more, and its token is over. */
  readonly socketLimit: number;
  /** Whether market data sockets count among them. */
  readonly mdSocketsCount: boolean;
  /** What holds on market data sockets instead, of all settings. */
  readonly onMd: Partial<Omit<Settings, "onMd">>;

  // Answers
  readonly answerDelay: { readonly ms: number; readonly endpoints?: readonly string[] };
  /** Requests that come by this way are neither done nor answered; or those to these endpoints alone. */
  readonly silence: {
    readonly via: "none" | "socket" | "rest" | "both";
    readonly endpoints?: readonly string[];
  };
  readonly listLagMs: number;
  readonly listCap: number;

  // The sync
  /**
   * What a sync brings. `all`: what it names, and everything when it names nothing. `named`: only what
   * it names, and nothing to one that asks by users. `users`: its users, whatever it asks for.
   * `empty`: every list without an entry.
   */
  readonly syncBrings: "all" | "named" | "users" | "empty";
  /** What came to be before a sync and is left out of it: with `isGone`, of every list as well. */
  readonly forgets: { readonly types: readonly EntityType[]; readonly isGone: boolean };
  /** Whether a sync tells positions as flat, whatever the lists say. */
  readonly syncTellsFlat: boolean;
  /** Whether a sync is followed by events. */
  readonly tellsEvents: boolean;

  // Events
  readonly events: {
    readonly order: "beforeAnswer" | "afterAnswer";
    readonly delayMs: number;
    /** How long a new order is told as Unknown before what became of it is told. */
    readonly riskCheckMs?: number;
  };
  readonly repeatsCreated: boolean;
  /** Fills are told before the rest of what happened with them. */
  readonly fillsFirst: boolean;
  /** Entities come as a list of one. */
  readonly entityArrays: boolean;
  /** Events of these types are not sent. */
  readonly losesEvents: readonly string[];
  /** Whether an order that no session placed has commands: one by hand, or of the broker's desk. */
  readonly tellsOthersCommands: boolean;
  /** What a status is called instead. */
  readonly callsStatus: Readonly<Record<string, string>>;
  readonly tellsNetPrice: boolean;

  // Orders
  readonly osoLegsLinked: boolean;
  readonly cancelEndsSibling: boolean;
  readonly activateOnFullFillOnly: boolean;
  readonly cancelOfDeadOrder: "TooLate" | 404 | 401;
  readonly modifyOfLegCancelsBoth: boolean;
  readonly unknownSymbol: "accessDenied" | "InvalidContract";
  readonly liquidateWhenFlat: "failure" | "empty";
  readonly liquidateRefusesTag50: boolean;
  /** Whether a trailing stop without `stopPrice` is refused, when it is placed and when it is changed. */
  readonly trailingNeedsStop: boolean;
  /** Of a late rejection, whether its report comes before the order's new status. */
  readonly riskReportFirst: boolean;
  /** What the exchange refuses is answered as taken and rejected later, or fails in the answer. */
  readonly exchangeRefusals: "late" | "answer";
  readonly maxOrderQty: number;
}

const HOUR_MS = 3_600_000;

export const DEFAULTS: Settings = {
  ...MARKET_DATA_DEFAULTS,
  ...MONEY_DEFAULTS,
  ...RISK_DEFAULTS,

  tokenLifeMs: 90 * 60_000,
  sessionLimit: 2,
  killedSessionStatus: 408,
  killedSockets: "shutdown",
  expiredSocket: "refuse",
  environment: "demo",
  deviceIdForOrders: "live",
  loginError: null,
  wrongEnvironment: false,

  userLimit: { perHour: 5_000, perMinute: 5_000, perSecond: 5_000 },
  endpointLimits: {
    "auth/accesstokenrequest": { perHour: 5 },
    "auth/renewaccesstoken": { perHour: 15 },
    "auth/me": { perHour: 10 },
    "user/syncrequest": { perHour: 300 },
    "order/dryrun": { perHour: 500 },
  },
  lockoutMs: HOUR_MS,
  warnsBeforeLockout: true,

  sendsOpen: true,
  heartbeatMs: 2_500,
  dropsSilentAfterMs: 15_000,
  authoriseWithinMs: 10_000,
  takesQuotedToken: true,
  takesMdToken: true,
  batchesFrames: false,
  maintenance: false,
  socketLimit: 50,
  mdSocketsCount: true,
  onMd: {},

  answerDelay: { ms: 0 },
  silence: { via: "none" },
  listLagMs: 0,
  listCap: 4_096,

  syncBrings: "all",
  syncTellsFlat: false,
  forgets: { types: [], isGone: false },
  tellsEvents: true,

  events: { order: "beforeAnswer", delayMs: 0 },
  repeatsCreated: false,
  fillsFirst: false,
  entityArrays: false,
  losesEvents: [],
  tellsOthersCommands: true,
  callsStatus: {},
  tellsNetPrice: true,

  osoLegsLinked: true,
  cancelEndsSibling: true,
  activateOnFullFillOnly: false,
  cancelOfDeadOrder: "TooLate",
  modifyOfLegCancelsBoth: false,
  unknownSymbol: "accessDenied",
  liquidateWhenFlat: "failure",
  liquidateRefusesTag50: true,
  trailingNeedsStop: true,
  riskReportFirst: false,
  exchangeRefusals: "late",
  maxOrderQty: 1_000,
};

/** The settings of all users, and what single ones have of their own. */
export class SettingsBook {
  #all: Settings = DEFAULTS;
  readonly #own = new Map<string, Partial<Settings>>();

  /** Without a user for all of them, whatever was set for single ones before. */
  set(values: Partial<Settings>, user: string | undefined): void {
    const names = [...Object.keys(values), ...Object.keys(values.onMd ?? {})];
    const known = names.every((name) => name in DEFAULTS);
    if (!known) throw new Error(`There is no such setting: ${names.join(", ")}`);
    if (user !== undefined) this.#own.set(user, { ...this.#own.get(user), ...values });
    else {
      this.#all = { ...this.#all, ...values };
      for (const [name, own] of this.#own) this.#own.set(name, without(own, Object.keys(values)));
    }
  }

  /** Back to the defaults. */
  reset(user: string | undefined): void {
    if (user !== undefined) this.#own.delete(user);
    else {
      this.#own.clear();
      this.#all = DEFAULTS;
    }
  }

  of(user: string | undefined): Settings {
    const own = user === undefined ? undefined : this.#own.get(user);
    return own === undefined ? this.#all : { ...this.#all, ...own };
  }
}

/** Which of the settings hold on a socket, or for a request that comes by it. */
export function onSocket(settings: Settings, isMarketData: boolean): Settings {
  return isMarketData ? { ...settings, ...settings.onMd } : settings;
}

function without(own: Partial<Settings>, names: readonly string[]): Partial<Settings> {
  return Object.fromEntries(Object.entries(own).filter(([name]) => !names.includes(name)));
}
