import { MAX_GROUP_MEMBERS } from "../../../../domain/account-groups/account-group.ts";
import type { AlertRequest, Holding, ReadAlert } from "../../../../domain/alert.ts";
import {
  type ProfileOptions,
  readControls,
  type ReadProfile,
  SEVERAL_ACCOUNTS,
} from "../../alert-profile.ts";
import type { AlertFields } from "../../alert-fields.ts";
import { EXITS, readExit } from "./exit-commands.ts";
import { readOnlyWhen, readOrder } from "./order-commands.ts";
import { readSynced } from "./sync-strategy.ts";

const COMMANDS = ["PLACE", "FLATPLACE", "REVERSEPOSITION", ...EXITS] as const;
type Command = (typeof COMMANDS)[number];

/** What an order says beside its symbol, action, type and duration. */
const SIZES = ["qty", "quantity", "percent"] as const;
const OWN_PRICES = ["limit_price", "stop_price", "trail_offset", "peg_difference"] as const;
const LEGS = ["take_profit", "stop_loss"] as const;
const GUARDS = ["flatten_first", "require_market_position", "sync_strategy"] as const;
const ORDER_FIELDS = [
  ...SIZES,
  ...OWN_PRICES,
  ...LEGS,
  ...GUARDS,
  "cancel_after",
  "market_position",
] as const;

type OrderField = (typeof ORDER_FIELDS)[number];

const OF_ORDER = [
  "qty",
  "quantity",
  ...OWN_PRICES,
  ...LEGS,
  "flatten_first",
  "cancel_after",
] as const;
const OF_FLATTEN = ["market_position", "require_market_position"] as const;

/** Which of them a command takes; another one is refused, since it would not be done. */
const TAKEN: Readonly<Record<Command, readonly OrderField[]>> = {
  PLACE: [...OF_ORDER, "require_market_position", "sync_strategy", "market_position"],
  FLATPLACE: [...OF_ORDER, "require_market_position", "market_position"],
  REVERSEPOSITION: [...OF_ORDER, "require_market_position", "market_position"],
  REVERSE: [],
  CLOSEPOSITION: ["quantity", "percent", "require_market_position"],
  FLATTEN: OF_FLATTEN,
  FLATTENEVERYTHING: OF_FLATTEN,
  CANCELORDERS: [],
  CANCELALLORDERS: [],
  // The exits that are put on are for all that is held: the service, too, takes no more than that.
  CANCELANDBRACKET: ["qty", "quantity", ...LEGS],
};

/** The token says which account is meant, and the gateway has no trading windows to be bypassed. */
const IGNORED = [
  "key",
  "destination",
  "notes",
  "id",
  "order_id",
  "bypass_trade_windows",
  // What a relay that people put before the service goes by (github.com/hoquet98/crosstrade_relay).
  "relay_user",
  "relay_id",
  // Asks for nothing without sync_strategy.
  "prev_market_position",
  "target_quantity",
  "out_of_sync",
] as const;

const KNOWN = [
  "command",
  "instrument",
  "action",
  "order_type",
  "tif",
  "account",
  "kill_switch",
  ...ORDER_FIELDS,
];

/** CrossTrade's commands (crosstrade.io/docs/webhooks), for the account or the group of the token. */
export function readCrossTrade(
  fields: AlertFields,
  options: ProfileOptions,
): ReturnType<ReadProfile> {
  const request = readRequest(fields, options);
  const controls = readControls(fields);
  const accounts = readNamed(fields, options);
  for (const [name, why] of Object.entries(REFUSED_FIELDS)) fields.refuse(name, why);
  fields.passOver(...IGNORED);
  fields.ignore(...KNOWN);
  return request && { request, ...accounts, ...controls };
}

function readRequest(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const holding = fields.sideToClose("command");
  // `off` is refused too: it would let everything through again.
  if (fields.has("kill_switch")) {
    return fields.problem("kill_switch", "is switched by PUT /v1/kill-switch, not by an alert");
  }
  const command = holding === undefined ? readCommand(fields) : "CLOSEPOSITION";
  if (command === undefined) return undefined;
  for (const name of ORDER_FIELDS) {
    if (!TAKEN[command].includes(name)) fields.refuse(name, `is not taken with command=${command}`);
  }
  if (CLOSING.has(command)) refuseResting(fields, command);
  if (command === "PLACE") {
    return fields.flag("sync_strategy") ? readSynced(fields, options) : readPlace(fields, options);
  }
  if (command === "FLATPLACE") return readAnew(fields, options, readOnlyWhen(fields));
  if (command === "REVERSEPOSITION") {
    return readAnew(fields, options, readOnlyWhen(fields, ["LONG", "SHORT"]));
  }
  return readExit(fields, command, holding);
}

/** A price alone is left over from an entry; with its type it would be another exit than this one. */
function refuseResting(fields: AlertFields, command: Command): void {
  const type = fields.text("order_type")?.toUpperCase() ?? "MARKET";
  if (type === "MARKET" || !OWN_PRICES.some((name) => fields.has(name))) return;
  fields.problem("order_type", `must be MARKET with command=${command}, which goes at the market`);
}

const CLOSING: ReadonlySet<Command> = new Set(["CLOSEPOSITION", "FLATTEN", "FLATTENEVERYTHING"]);

function readCommand(fields: AlertFields): Command | undefined {
  const written = fields.text("command", { needed: true })?.toUpperCase();
  const why = REFUSED_COMMANDS[written ?? ""];
  if (why !== undefined) return fields.problem("command", why);
  return written === undefined ? undefined : fields.choice("command", COMMANDS);
}

/** A plain order: it nets into what is held. */
function readPlace(fields: AlertFields, options: ProfileOptions): AlertRequest | undefined {
  const onlyWhen = readOnlyWhen(fields);
  if (fields.flag("flatten_first")) return readAnew(fields, options, onlyWhen);
  const order = readOrder(fields, options);
  if (order === undefined) return undefined;
  const { symbol, side, qty, terms } = order;
  if (onlyWhen === undefined) {
    return { kind: "order", ticket: { symbol, side, orderQty: qty, ...terms } };
  }
  return { kind: "adjust", symbol, aim: { to: "order", side, qty }, terms, onlyWhen };
}

/** Out of all that is held, on whichever side, then in. Only flatten_first cancels what rests. */
function readAnew(
  fields: AlertFields,
  options: ProfileOptions,
  onlyWhen: readonly Holding[] | undefined,
): AlertRequest | undefined {
  const order = readOrder(fields, options);
  const cancelFirst = fields.flag("flatten_first");
  if (order === undefined) return undefined;
  const { symbol, side, qty, terms } = order;
  return {
    kind: "adjust",
    symbol,
    aim: { to: "enter", side, qty, whenHeld: "replace", whenOpposite: "close" },
    terms,
    ...(cancelFirst && { cancelFirst }),
    ...(onlyWhen !== undefined && { onlyWhen }),
  };
}

/**
 * `account=a,b`, of a group. An alert for several accounts must not be carried out in one of them alone;
 * a single name beside a webhook's own account says nothing that the webhook does not.
 */
function readNamed(fields: AlertFields, { forGroup }: ProfileOptions): Pick<ReadAlert, "accounts"> {
  const written = fields.value("account");
  const isList = typeof written === "string" && written.includes(",");
  if (forGroup === undefined) {
    if (isList || typeof written === "object") fields.problem("account", SEVERAL_ACCOUNTS);
    return {};
  }
  const command = fields.text("command")?.toUpperCase() ?? "";
  if (written === undefined || FOR_ALL.has(command)) return {};
  const names: readonly unknown[] =
    typeof written === "string" ? written.split(",") : Array.isArray(written) ? written : [written];
  const texts = names.flatMap((name) => (isName(name) ? [String(name).trim()] : []));
  if (texts.length < names.length || texts.length > MAX_GROUP_MEMBERS) {
    fields.problem("account", `must be at most ${MAX_GROUP_MEMBERS} names of accounts, by commas`);
    return {};
  }
  const accounts = texts.filter((name) => name !== "").map((name) => ({ at: "account", name }));
  return accounts.length === 0 ? {} : { accounts };
}

const isName = (name: unknown): boolean => typeof name === "string" || typeof name === "number";

/** The service carries them out in every account, whatever account is written beside them. */
const FOR_ALL: ReadonlySet<string> = new Set(["FLATTENEVERYTHING", "CANCELALLORDERS"]);

const BY_ITS_OWN_ID =
  "names one order by the sender's own id, which the gateway does not keep: use /v1/orders with its orderId";

/** Commands that are not carried out, and what to do instead. */
export const REFUSED_COMMANDS: Readonly<Record<string, string>> = {
  CANCEL: `CANCEL ${BY_ITS_OWN_ID}`,
  CHANGE: `CHANGE ${BY_ITS_OWN_ID}`,
  CANCELREPLACE: `CANCELREPLACE ${BY_ITS_OWN_ID}, or CANCELORDERS and then PLACE`,
  CLOSESTRATEGY:
    "CLOSESTRATEGY closes an ATM strategy, which there is none of here: use CLOSEPOSITION",
};

const WRITE_LEGS = "ATM strategies are not run here: write take_profit and stop_loss";
const ONE_WINDOW =
  "the gateway trades whenever the market does: send no alerts outside of the window";

/** Fields that ask for what the gateway does not do, with what to do instead. */
export const REFUSED_FIELDS: Readonly<Record<string, string>> = {
  stop_loss_limit: "a stop-loss is a stop order here, filled whatever the price: write stop_loss",
  stop_loss_stop: "a stop-loss is a stop order here: write stop_loss with this price",
  strategy: WRITE_LEGS,
  atm_strategy: WRITE_LEGS,
  append_atm: WRITE_LEGS,
  strategy_id: WRITE_LEGS,
  atm_targets: WRITE_LEGS,
  atm_stops: WRITE_LEGS,
  atm_qtys: WRITE_LEGS,
  atm_trail: WRITE_LEGS,
  atm_breakeven: WRITE_LEGS,
  atm_breakeven_offset: WRITE_LEGS,
  oco_id: "orders cannot be linked by a name: write take_profit and stop_loss with the entry",
  max_show: "part of an order cannot be hidden: leave it out",
  delay:
    "alerts are carried out at once, and one that waited could be carried out after what was sent to undo it: delay them where they are sent",
  max_positions: "positions are limited by the account's limits: PUT /v1/accounts/:id/limits",
  max_position: "positions are limited by the account's limits: PUT /v1/accounts/:id/limits",
  rate_limit: "alerts are limited by the webhook's rateLimitPerMinute, not by their body",
  start_time: ONE_WINDOW,
  end_time: ONE_WINDOW,
  closing_only_after: ONE_WINDOW,
  strategy_tag:
    "strategies cannot lock a symbol: give each its own account, and so its own webhook",
  strategy_exit_block: "is not done here: use require_market_position",
  sl: "is not a field of CrossTrade's: write stop_loss",
  tp: "is not a field of CrossTrade's: write take_profit",
  sl_price: "is not a field of CrossTrade's: write stop_loss",
  tp_price: "is not a field of CrossTrade's: write take_profit",
  trail_stop: "is not a field of CrossTrade's: write order_type=trailingstop with trail_offset",
};
