import { numberOr } from "../../parts/number-or.ts";
import { listOf, mapOf, mapText } from "../../parts/typed-list.ts";
import type { ChangeWebhookBody, CreateWebhookBody, Profile, Webhook } from "./types.ts";

/** A webhook as it stands in the form: everything is text, and empty is what the gateway does by itself. */
export interface WebhookTyped {
  readonly accountId: string;
  readonly name: string;
  readonly profile: Profile;
  /** Of TradersPost's profile: what an opposite signal does. */
  readonly sideSwap: "" | "on" | "subtract";
  /** Names, parted by commas or lines. */
  readonly allowedExtraFields: string;
  readonly defaultQty: string;
  readonly multiplier: string;
  /** `NQ=MNQ`, parted by commas or lines. */
  readonly symbolMap: string;
  readonly allowedSymbols: string;
  readonly allowedSide: "" | "long" | "short";
  readonly fromTradingView: boolean;
  /** Beside TradingView's own. */
  readonly senders: string;
  readonly entryMaxAgeSeconds: string;
  readonly exitMaxAgeSeconds: string;
  readonly duplicateWindowSeconds: string;
  readonly rateLimitPerMinute: string;
}

const TRADINGVIEW = "tradingview";

const NOTHING: WebhookTyped = {
  accountId: "",
  name: "",
  profile: "native",
  sideSwap: "",
  allowedExtraFields: "",
  defaultQty: "",
  multiplier: "",
  symbolMap: "",
  allowedSymbols: "",
  allowedSide: "",
  fromTradingView: false,
  senders: "",
  entryMaxAgeSeconds: "",
  exitMaxAgeSeconds: "",
  duplicateWindowSeconds: "",
  rateLimitPerMinute: "",
};

export function typedOf(webhook: Webhook | undefined, accountId = ""): WebhookTyped {
  if (webhook === undefined) return { ...NOTHING, accountId };
  const text = (value: number | string | null) => (value === null ? "" : String(value));
  const senders = webhook.allowedSenders ?? [];
  return {
    accountId: webhook.accountId,
    name: webhook.name,
    profile: webhook.profile ?? "native",
    sideSwap: webhook.sideSwap === "on" || webhook.sideSwap === "subtract" ? webhook.sideSwap : "",
    allowedExtraFields: (webhook.allowedExtraFields ?? []).join(", "),
    defaultQty: text(webhook.defaultQty),
    multiplier: text(webhook.multiplier),
    symbolMap: mapText(webhook.symbolMap ?? {}),
    allowedSymbols: (webhook.allowedSymbols ?? []).join(", "),
    allowedSide: webhook.allowedSide ?? "",
    fromTradingView: senders.includes(TRADINGVIEW),
    senders: senders.filter((one) => one !== TRADINGVIEW).join(", "),
    entryMaxAgeSeconds: text(webhook.entryMaxAgeSeconds),
    exitMaxAgeSeconds: text(webhook.exitMaxAgeSeconds),
    duplicateWindowSeconds: text(webhook.duplicateWindowSeconds),
    rateLimitPerMinute: text(webhook.rateLimitPerMinute),
  };
}

type Options = Omit<ChangeWebhookBody, "accountId" | "name" | "paused">;

/** What the form asks for: null where the gateway's own holds, and text where it is no number. */
type Asked = {
  readonly [Name in keyof Options]-?:
    | Exclude<Options[Name], undefined>
    | (number extends Options[Name] ? string : never);
};

function askedOf(typed: WebhookTyped): Asked {
  const number = (text: string) => (text.trim() === "" ? null : numberOr(text));
  const list = (items: readonly string[]) => (items.length === 0 ? null : [...items]);
  const map = mapOf(typed.symbolMap);
  const senders = listOf(typed.senders);
  return {
    profile: typed.profile === "native" ? null : typed.profile,
    sideSwap: typed.sideSwap === "" ? null : typed.sideSwap,
    allowedExtraFields: list(listOf(typed.allowedExtraFields)),
    defaultQty: number(typed.defaultQty),
    multiplier: typed.multiplier.trim() === "" ? null : typed.multiplier.trim(),
    symbolMap: Object.keys(map).length === 0 ? null : map,
    allowedSymbols: list(listOf(typed.allowedSymbols)),
    allowedSide: typed.allowedSide === "" ? null : typed.allowedSide,
    allowedSenders: list(typed.fromTradingView ? [TRADINGVIEW, ...senders] : senders),
    entryMaxAgeSeconds: number(typed.entryMaxAgeSeconds),
    exitMaxAgeSeconds: number(typed.exitMaxAgeSeconds),
    duplicateWindowSeconds: number(typed.duplicateWindowSeconds),
    rateLimitPerMinute: number(typed.rateLimitPerMinute),
  };
}

/** For a new webhook: what is left empty is left out. */
export function creationOf(typed: WebhookTyped): CreateWebhookBody {
  const given = Object.entries(askedOf(typed)).filter(([, value]) => value !== null);
  return {
    accountId: typed.accountId,
    ...(typed.name.trim() !== "" && { name: typed.name.trim() }),
    ...(Object.fromEntries(given) as Partial<CreateWebhookBody>),
  };
}

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: WebhookTyped, webhook: Webhook): ChangeWebhookBody {
  const before = askedOf(typedOf(webhook));
  const changed = Object.entries(askedOf(typed)).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name as keyof Asked]),
  );
  const name = typed.name.trim();
  return {
    ...(typed.accountId !== webhook.accountId && { accountId: typed.accountId }),
    ...(name !== "" && name !== webhook.name && { name }),
    ...(Object.fromEntries(changed) as Options),
  };
}
