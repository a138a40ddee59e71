import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type Ticks, ticks } from "../../domain/contracts/price.ts";
import { accountId, credentialId } from "../../domain/ids.ts";
import type { IntentSource } from "../../domain/intent.ts";
import type { FillOrigin, LedgerEntry, PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import type { Quote } from "../../domain/quote.ts";
import { decodeFill } from "../accounts/fill-record.ts";

/** What Redis answers for one line of a stream. */
export type StreamEntry = readonly [id: string, fields: readonly string[]];

/** As `write-ledger.ts` writes it. Lines are written by this gateway alone: reading one is a cast. */
export function decodeEntry([id, fields]: StreamEntry): PlacedEntry {
  const of: Record<string, string> = {};
  for (let at = 0; at + 1 < fields.length; at += 2) of[fields[at] ?? ""] = fields[at + 1] ?? "";
  return { id, ...entryOf(of) };
}

function entryOf(of: Readonly<Record<string, string>>): LedgerEntry {
  const { e: execId = "", t: time, b: body = "", o: origin, q: quote = "", w: former } = of;
  const at = Number(time);
  if (of["c"] !== undefined) {
    const told = JSON.parse(of["p"] ?? "{}") as object;
    return { kind: "lot", contract: of["c"] as ContractCode, netQty: Number(of["n"]), at, ...told };
  }
  const fill = decodeFill({ id: execId, at }, body);
  if (former !== undefined) {
    const { fee: amount, feeCurrency: currency } = decodeFill({ id: execId, at }, former);
    if (amount === undefined) return { kind: "fee", fill };
    return { kind: "fee", fill, former: { amount, ...(currency !== undefined && { currency }) } };
  }
  return {
    kind: "fill",
    fill,
    ...(origin !== undefined && origin !== "" && { origin: originOf(origin) }),
    ...(quote !== "" && { quote: decodeQuote(quote) }),
  };
}

function originOf(text: string): FillOrigin {
  const [by, credential = "-", leader = "-", ...price] = text.split(" ");
  const signalPrice = price.join(" ") || "-";
  return {
    by: by as IntentSource["kind"],
    ...(credential !== "-" && { credentialId: credentialId(credential) }),
    ...(leader !== "-" && { leader: accountId(leader) }),
    ...(signalPrice !== "-" && { signalPrice }),
  };
}

/** "-" is a price that nobody told. */
export const encodeQuote = ({ bid, ask, last, toldAt, heardAt }: Quote): string =>
  [bid ?? "-", ask ?? "-", last ?? "-", heardAt, toldAt ?? "-"].join(" ");

export function decodeQuote(text: string): Quote {
  const [bid, ask, last, heardAt, toldAt] = text.split(" ").map(numberOf);
  const price = (value: number | undefined): Ticks | undefined =>
    value === undefined ? undefined : ticks(value);
  const [b, a, l] = [price(bid), price(ask), price(last)];
  return {
    ...(b !== undefined && { bid: b }),
    ...(a !== undefined && { ask: a }),
    ...(l !== undefined && { last: l }),
    ...(toldAt !== undefined && { toldAt }),
    heardAt: heardAt ?? 0,
  };
}

const numberOf = (text: string): number | undefined => (text === "-" ? undefined : Number(text));
