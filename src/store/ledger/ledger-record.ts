import type { ContractCode } from "../../domain/contracts/contract.ts";
import { ticks } from "../../domain/contracts/price.ts";
import { accountId, credentialId } from "../../domain/ids.ts";
import type { IntentSource } from "../../domain/intent.ts";
import type { FillOrigin, LedgerEntry, PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import { oldestHeardAt, pricesOf, type Quote } from "../../domain/quote.ts";
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
  const { e: execId = "", t: time, b: body = "", o: origin, q: quote = "" } = of;
  const { w: former, r: replaced } = of;
  const at = Number(time);
  if (of["c"] !== undefined) {
    const told = JSON.parse(of["p"] ?? "{}") as object;
    return { kind: "lot", contract: of["c"] as ContractCode, netQty: Number(of["n"]), at, ...told };
  }
  const fill = decodeFill({ id: execId, at }, body);
  if (replaced !== undefined) {
    if (replaced === "") return { kind: "correction", fill };
    return { kind: "correction", fill, former: decodeFill({ id: execId, at }, replaced) };
  }
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

/**
 * "-" is a price that was not heard. The age of the oldest price comes first, as all versions read it.
 * Prices that are newer add by how much, in ms; without these all are as old as that one.
 */
export function encodeQuote(quote: Quote): string {
  const { bid, ask, last, toldAt } = quote;
  const heardAt = oldestHeardAt(quote);
  const all = [bid, ask, last];
  const newer = all.map((price) => (price === undefined ? 0 : price.heardAt - heardAt));
  const ages = newer.some((ms) => ms > 0) ? newer : [];
  return [...all.map((price) => price?.px ?? "-"), heardAt, toldAt ?? "-", ...ages].join(" ");
}

export function decodeQuote(text: string): Quote {
  const [bid, ask, last, heardAt = 0, toldAt, ...newer] = text.split(" ").map(numberOf);
  const price = (px: number | undefined, ms = 0) =>
    px === undefined ? undefined : { px: ticks(px), heardAt: heardAt + ms };
  return {
    ...pricesOf({
      bid: price(bid, newer[0]),
      ask: price(ask, newer[1]),
      last: price(last, newer[2]),
    }),
    ...(toldAt !== undefined && { toldAt }),
  };
}

const numberOf = (text: string): number | undefined => (text === "-" ? undefined : Number(text));
