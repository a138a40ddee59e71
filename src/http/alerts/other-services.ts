import type { Problem } from "../../errors.ts";
import type { Fields } from "./alert-text.ts";
import { bareName } from "./meant-words.ts";
import type { Dialect } from "./named-exits.ts";
import { plain } from "./written-values.ts";

interface Service {
  readonly name: string;
  /** Which profile reads it; absent: none does. */
  readonly profile?: Exclude<Dialect, "csv">;
  /** Names that no other service has, in any spelling: one of them is enough. */
  readonly names?: readonly string[];
  /** Names that have to be there together, and what they then say. */
  readonly says?: Readonly<Record<string, RegExp>>;
  /** Other messages may look like it: it is theirs only where its profile reads it. */
  readonly ifRead?: true;
}

const SOMETHING = /./s;

const SERVICES: readonly Service[] = [
  {
    name: "CrossTrade",
    profile: "crosstrade",
    says: {
      command:
        /^(?:place|flatplace|reverse(?:position)?|close(?:position|strategy)|flatten(?:everything)?|cancel(?:orders|allorders|andbracket|replace)?|change)$/,
    },
  },
  {
    name: "PickMyTrade",
    profile: "pickmytrade",
    says: { data: /^(?:buy|sell|long|short|close|flat)$/, symbol: SOMETHING },
  },
  {
    name: "3Commas",
    profile: "position",
    names: ["bot_uuid", "tv_instrument", "email_token", "bot_id"],
  },
  { name: "OKX", profile: "position", names: ["signalToken"] },
  {
    name: "TV-Hub",
    names: ["isBuy", "isSell", "isClose", "isMarket", "unitsType", "closeCurrentPosition"],
  },
  { name: "OpenAlgo", says: { apikey: SOMETHING, strategy: SOMETHING, product: SOMETHING } },
  { name: "WunderTrading", names: ["amountPerTradeType", "placeConditionalOrders"] },
  {
    name: "TradersPost",
    profile: "traderspost",
    says: { ticker: SOMETHING, action: /^(?:buy|sell|exit|cancel|add|reverse|breakeven)$/ },
    ifRead: true,
  },
  {
    name: "a strategy's position",
    profile: "position",
    says: { market_position: /^(?:long|short|flat)$/ },
    ifRead: true,
  },
];

/**
 * Names the service that a message was written for where the webhook reads another one, and which
 * profile reads it: that is what is wrong, and not the fields that this one misses. Then what is wrong
 * there. `read` answers that.
 */
export function otherService(
  alerts: readonly Fields[],
  dialect: Dialect,
  read: (profile: Dialect) => readonly Problem[],
): readonly Problem[] | undefined {
  const [first] = alerts;
  if (first === undefined || dialect === "csv") return undefined;
  const matching = SERVICES.filter((one) => isOf(first, one));
  if (matching.some(({ profile }) => profile === dialect)) return undefined;
  const theirs = matching.map((service) => ({
    service,
    problems: service.profile && read(service.profile),
  }));
  const found =
    theirs.find(({ problems }) => problems?.length === 0) ??
    theirs.find(({ service }) => service.ifRead === undefined);
  if (found === undefined) return undefined;
  const { service, problems = [] } = found;
  return [{ path: "body", message: inWords(service, dialect) }, ...problems];
}

function isOf(given: Fields, { names = [], says = {} }: Service): boolean {
  const values = new Map(Object.entries(given).map(([name, value]) => [bareName(name), value]));
  if (names.some((name) => values.has(bareName(name)))) return true;
  const pairs = Object.entries(says);
  return (
    pairs.length > 0 &&
    pairs.every(([name, meant]) => meant.test(plain(values.get(bareName(name)))))
  );
}

function inWords({ name, profile }: Service, dialect: Dialect): string {
  const what = `is a message for ${name}, and the webhook's profile is ${dialect}`;
  if (profile === undefined) return `${what}: no profile reads it, so write it in native words`;
  return `${what}: set its profile to ${profile}`;
}
