import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { accountId, type ConnectionId, connectionId } from "../../../../src/domain/ids.ts";
import { type Quote, quoteHeardAt } from "../../../../src/domain/quote.ts";
import type { PriceSource } from "../../../../src/trading/money/ports.ts";
import { MOST_WATCHED, QuoteBoard } from "../../../../src/trading/money/quote-board.ts";

const CONNECTION = connectionId("c1");
const FIRST = accountId("c1-1");
const SECOND = accountId("c1-2");
const ES = "ESZ2026" as ContractCode;
const NQ = "NQZ2026" as ContractCode;
const LINGERS_MS = 10 * 60_000;

/** A source in our hand: who watches what, and what they are told. */
class Source implements PriceSource {
  readonly listeners = new Map<ContractCode, Set<(quote: Quote) => void>>();
  begun = 0;
  why: string | undefined;
  readonly missing = () => this.why;
  readonly bars = async () => await Promise.resolve([]);
  readonly watch: PriceSource["watch"] = (contract, listener) => {
    this.begun += 1;
    const own = this.listeners.get(contract) ?? new Set();
    this.listeners.set(contract, own.add(listener));
    return () => own.delete(listener);
  };
  get watched(): readonly ContractCode[] {
    return [...this.listeners].flatMap(([contract, own]) => (own.size > 0 ? [contract] : []));
  }
  tell(contract: ContractCode, bid: number): void {
    const quote = quoteHeardAt(now, { bid: ticks(bid) });
    for (const one of this.listeners.get(contract) ?? []) one(quote);
  }
}

let now: number;
let present: boolean;
let source: Source | undefined;
let board: QuoteBoard;

beforeEach(() => {
  now = 1_000_000;
  present = true;
  source = new Source();
  board = new QuoteBoard({
    pricesOf: () => source,
    connectionOf: (account) => (present && account.startsWith("c1") ? CONNECTION : undefined),
    now: () => now,
  });
});

const pricesOf = (): Source => source ?? new Source();
const news = () => board.look();
const latest = (contract: ContractCode, id: ConnectionId = CONNECTION) =>
  board.latest(id, contract);

describe("what is watched", () => {
  test("is what somebody holds or works, once for all of them", () => {
    board.need(FIRST, "held", [ES]);
    board.need(SECOND, "held", [ES, NQ]);
    board.need(SECOND, "worked", [NQ]);
    expect([pricesOf().watched, pricesOf().begun]).toEqual([[ES, NQ], 2]);
    expect([...board.holders()]).toEqual([FIRST, SECOND]);
    board.need(accountId("elsewhere"), "held", [ES]);
    expect(pricesOf().begun).toBe(2);
  });

  test("is let go of a while after nobody needs it, and shown no more", () => {
    board.need(FIRST, "held", [ES]);
    board.need(FIRST, "worked", [ES]);
    board.need(FIRST, "held", []);
    now += LINGERS_MS;
    news();
    expect(pricesOf().watched).toEqual([ES]);
    board.need(FIRST, "worked", []);
    now += LINGERS_MS - 1;
    expect(news()).toEqual([]);
    board.need(SECOND, "held", [ES]);
    now += LINGERS_MS;
    expect(news()).toEqual([]);
    board.need(SECOND, "held", []);
    now += LINGERS_MS;
    expect(news()).toMatchObject([{ dropped: [ES] }]);
    expect([pricesOf().watched, latest(ES)]).toEqual([[], undefined]);
  });

  test("is bounded: what is held comes before what is worked, and that before what nobody needs", () => {
    const codes = Array.from({ length: MOST_WATCHED }, (_, at) => `X${at}Z2026` as ContractCode);
    board.need(FIRST, "worked", codes);
    board.need(FIRST, "worked", [...codes, ES]);
    expect(pricesOf().watched).not.toContain(ES);
    board.need(SECOND, "held", [NQ]);
    expect(pricesOf().watched).toHaveLength(MOST_WATCHED);
    expect(pricesOf().watched).toContain(NQ);
    board.need(FIRST, "worked", codes.slice(1));
    board.need(FIRST, "worked", [...codes.slice(2), ES]);
    expect(pricesOf().watched).toContain(ES);
    expect(pricesOf().watched).toHaveLength(MOST_WATCHED);
  });
});

test("what had no room is watched once there is some", () => {
  const codes = Array.from({ length: MOST_WATCHED }, (_, at) => `X${at}Z2026` as ContractCode);
  board.need(FIRST, "held", codes);
  board.need(SECOND, "worked", [NQ]);
  board.need(SECOND, "held", [ES]);
  expect(pricesOf().watched).not.toContain(ES);
  board.need(FIRST, "held", codes.slice(1));
  news();
  expect(pricesOf().watched).toContain(ES);
  expect(pricesOf().watched).toHaveLength(MOST_WATCHED);
});

test("an account that has left needs nothing any more", () => {
  board.need(FIRST, "held", [ES]);
  present = false;
  now += LINGERS_MS;
  news();
  now += LINGERS_MS;
  news();
  expect([...board.holders()]).toEqual([]);
  expect(pricesOf().watched).toEqual([]);
});

describe("quotes", () => {
  test("are new once to whoever shows them, with those that hold them", () => {
    board.need(FIRST, "held", [ES]);
    board.need(SECOND, "worked", [ES]);
    expect(news()).toEqual([]);
    pricesOf().tell(ES, 100);
    pricesOf().tell(ES, 101);
    const [told, ...more] = news();
    expect(more).toEqual([]);
    expect(told?.quotes.get(ES)).toEqual(quoteHeardAt(now, { bid: ticks(101) }));
    expect([...(told?.holders ?? [])]).toEqual([FIRST]);
    expect(news()).toEqual([]);
  });

  test("are stale by their own age, and where none was heard", () => {
    board.need(FIRST, "held", [ES, NQ]);
    pricesOf().tell(ES, 100);
    expect(board.figures).toEqual({ watched: 2, stale: 1, staleHeld: 1, told: 1 });
    now += 10_001;
    expect(board.figures.stale).toBe(2);
  });

  test("that are missing say why, once", () => {
    board.need(FIRST, "held", [ES]);
    pricesOf().why = "No subscription";
    expect(news()).toMatchObject([{ missing: "No subscription" }]);
    expect(news()).toEqual([]);
    pricesOf().why = undefined;
    expect(news()).toMatchObject([{ missing: undefined }]);
  });

  test("are told anew before what shows them has forgotten, with why they are missing", () => {
    board.need(FIRST, "held", [ES]);
    pricesOf().tell(ES, 100);
    pricesOf().why = "No subscription";
    news();
    now += 60 * 60_000;
    const [told] = news();
    expect(told).toMatchObject({ missing: "No subscription", isAll: true });
    expect([told?.quotes.get(ES)?.bid?.px, [...(told?.holders ?? [])]]).toEqual([100, []]);
    expect(news()).toEqual([]);
  });
});

describe("a connection that changes hands", () => {
  test("is watched through its new adapter", () => {
    board.need(FIRST, "held", [ES]);
    const former = pricesOf();
    source = new Source();
    news();
    expect([former.watched, source.watched]).toEqual([[], [ES]]);
    source.tell(ES, 5);
    expect(latest(ES)).toMatchObject({ bid: { px: 5 } });
  });

  test("that is another process' by then is forgotten, and needed anew where it comes back", () => {
    board.need(FIRST, "held", [ES]);
    const former = pricesOf();
    source = undefined;
    news();
    expect([former.watched, [...board.holders()], board.figures.watched]).toEqual([[], [], 0]);
    source = new Source();
    board.need(FIRST, "held", [ES]);
    expect(source.watched).toEqual([ES]);
  });

  test("that has no prices yet is watched once it has", () => {
    source = undefined;
    board.need(FIRST, "held", [ES]);
    source = new Source();
    news();
    expect(source.watched).toEqual([ES]);
  });
});
