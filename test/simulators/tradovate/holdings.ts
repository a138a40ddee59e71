import { ticks } from "../../../src/domain/contracts/price.ts";
import { type Fill, sign } from "../../../src/domain/order.ts";
import { applyFill, averagePrice, flat, type Position } from "../../../src/domain/position.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type { Cash } from "./cash.ts";
import { type Listed, toPrice, toTicks } from "./contract-directory.ts";
import type { FillEntity } from "./entities.ts";
import { obtain } from "../obtain.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Settings } from "./settings.ts";

interface OpenFill {
  readonly id: number;
  readonly price: number;
  left: number;
}

interface Held {
  position: Position;
  readonly id: number;
  readonly open: OpenFill[];
  isTold: boolean;
}

function toSigned({ action, qty, price }: FillEntity, { tickSize }: Listed, times: 1 | -1) {
  const isBuy = (action === "Buy") === (times === 1);
  const lastPx = toTicks(price, tickSize) ?? ticks(0);
  return { side: isBuy ? "BUY" : "SELL", lastQty: qty, lastPx } as const;
}

export interface HoldingsDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly cash: Cash;
  readonly settings: (accountId: number) => Settings;
}

/** What fills do to positions and pairs, and through them to the cash. */
export class Holdings {
  readonly #deps: HoldingsDeps;
  readonly #held = new Map<string, Held>();

  constructor(deps: HoldingsDeps) {
    this.#deps = deps;
  }

  netQty(accountId: number, listed: Listed): number {
    return this.#held.get(`${accountId} ${listed.code}`)?.position.netQty ?? 0;
  }

  /** Tells the position, then, of a fill that closes something, its pairs, the cash and the fee. */
  book(accountId: number, listed: Listed, { fill, entity }: { fill: Fill; entity: FillEntity }) {
    const { cash } = this.#deps;
    const key = `${accountId} ${listed.code}`;
    const held = obtain(this.#held, key, () => ({
      position: flat(listed.code),
      id: this.#deps.store.nextId(),
      open: [],
      isTold: false,
    }));
    const before = held.position;
    held.position = applyFill(before, fill);
    this.#tellPosition(accountId, listed, { held, fill, before });
    const closes = Math.sign(before.netQty) === -sign(fill.side);
    if (closes) this.#pair(accountId, held, entity);
    const left = Math.abs(held.position.netQty);
    const opened = closes
      ? Math.max(0, Math.min(left, entity.qty - Math.abs(before.netQty)))
      : entity.qty;
    if (opened > 0) held.open.push({ id: entity.id, price: entity.price, left: opened });
    const won = (held.position.realizedTicks - before.realizedTicks) * Number(listed.tickSize);
    // Other currencies would have to be exchanged, and no rate is known here.
    const isCash = closes && listed.currency === "USD";
    if (isCash) cash.win(accountId, won * listed.valuePerPoint);
    cash.charge(accountId, entity);
  }

  /** The position is as if the fill had been so from the beginning; pairs and cash stay. */
  correct(
    accountId: number,
    listed: Listed,
    { before, after }: { readonly before: FillEntity; readonly after: FillEntity },
  ): void {
    const held = this.#held.get(`${accountId} ${listed.code}`);
    if (held === undefined) return;
    const undo = toSigned(before, listed, -1);
    const redo = after.active ? [toSigned(after, listed, 1)] : [];
    for (const fill of [undo, ...redo]) held.position = applyFill(held.position, fill);
    const { netQty } = held.position;
    this.#deps.store.update("position", held.id, { netPos: netQty });
  }

  #tellPosition(
    accountId: number,
    { entity: contract, tickSize }: Listed,
    { held, fill, before }: { held: Held; fill: Fill; before: Position },
  ): void {
    const { store, clock, settings } = this.#deps;
    const { tellsNetPrice } = settings(accountId);
    const known = store.get("position", held.id);
    const value = fill.lastQty * toPrice(fill.lastPx, tickSize);
    const isBuy = fill.side === "BUY";
    const average = averagePrice(held.position);
    const now = {
      timestamp: clock.iso(),
      tradeDate: clock.tradeDate(),
      netPos: held.position.netQty,
      netPrice: !tellsNetPrice
        ? undefined
        : average && (average.numerator / average.denominator) * Number(tickSize),
      bought: (known?.bought ?? 0) + (isBuy ? fill.lastQty : 0),
      boughtValue: (known?.boughtValue ?? 0) + (isBuy ? value : 0),
      sold: (known?.sold ?? 0) + (isBuy ? 0 : fill.lastQty),
      soldValue: (known?.soldValue ?? 0) + (isBuy ? 0 : value),
      prevPos: known?.prevPos ?? 0,
      archived: false,
    };
    if (held.isTold) store.update("position", held.id, now);
    else {
      store.create("position", accountId, {
        id: held.id,
        accountId,
        contractId: contract.id,
        ...now,
        prevPos: before.netQty,
      });
    }
    held.isTold = true;
  }

  /** Oldest first, as the position counts its lots. */
  #pair(accountId: number, held: Held, fill: FillEntity): void {
    const { store } = this.#deps;
    let left = fill.qty;
    while (left > 0 && held.open[0] !== undefined) {
      const first = held.open[0];
      const qty = Math.min(left, first.left);
      const isBuy = fill.action === "Buy";
      store.create("fillPair", accountId, {
        id: store.nextId(),
        positionId: held.id,
        buyFillId: isBuy ? fill.id : first.id,
        sellFillId: isBuy ? first.id : fill.id,
        qty,
        buyPrice: isBuy ? fill.price : first.price,
        sellPrice: isBuy ? first.price : fill.price,
        active: true,
      });
      left -= qty;
      first.left -= qty;
      if (first.left === 0) held.open.shift();
    }
  }
}
