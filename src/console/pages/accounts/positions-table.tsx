import { moneyText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { exitsOf } from "./exits.ts";
import type { Position, WorkingOrder } from "./types.ts";

const COLUMNS = [
  "Contract",
  "Position",
  { figure: "Average" },
  { figure: "Valued at" },
  { figure: "Unrealised" },
  "Exits",
  ACTS,
];

/** What is held, what it is worth, and what would get out of it. */
export function PositionsTable({
  positions,
  orders,
  onFlattenAll,
  onFlatten,
  onProtect,
}: {
  positions: readonly Position[] | undefined;
  orders: readonly WorkingOrder[] | undefined;
  onFlattenAll: () => void;
  onFlatten: (position: Position) => void;
  onProtect: (position: Position) => void;
}) {
  return (
    <section class="block">
      <header>
        <h4>Positions</h4>
        {positions !== undefined && positions.length > 0 && (
          <button type="button" class="small danger" onClick={onFlattenAll}>
            Close everything …
          </button>
        )}
      </header>
      {positions === undefined && <p class="empty">One moment …</p>}
      {positions?.length === 0 && <p class="empty">Nothing is held.</p>}
      {positions !== undefined && positions.length > 0 && (
        <Table look="cards" columns={COLUMNS}>
          {positions.map((position) => (
            <PositionRow
              key={position.symbol}
              position={position}
              orders={orders}
              onFlatten={() => onFlatten(position)}
              onProtect={() => onProtect(position)}
            />
          ))}
        </Table>
      )}
    </section>
  );
}

function PositionRow({
  position,
  orders,
  onFlatten,
  onProtect,
}: {
  position: Position;
  orders: readonly WorkingOrder[] | undefined;
  onFlatten: () => void;
  onProtect: () => void;
}) {
  const { averagePrice, currency, markPrice, qty, side, symbol } = position;
  const { unrealizedPnl: pnl, unrealizedTicks: ticks } = position;
  return (
    <tr>
      <th scope="row" data-name="Contract">
        {symbol}
      </th>
      <td data-name="Position">
        {side === "long" ? "▲ Long" : "▼ Short"} {qty}
      </td>
      <td data-name="Average" class="number">
        {averagePrice ?? "unknown"}
      </td>
      <td data-name="Valued at" class="number">
        {markPrice ?? "unknown"}
      </td>
      <td data-name="Unrealised" class={`number ${pnl === null ? "" : pnlTone(pnl)}`}>
        <div>
          {pnl === null ? "unknown" : moneyText(pnl, currency)}
          {ticks !== null && <div class="quiet">{ticks} ticks</div>}
        </div>
      </td>
      <td data-name="Exits">
        {orders === undefined ? "…" : <ExitLevels position={position} orders={orders} />}
      </td>
      <td>
        <div class="actions end">
          <button type="button" class="small" onClick={onProtect}>
            Protect …<span class="unseen"> {symbol}</span>
          </button>
          <button type="button" class="small danger" onClick={onFlatten}>
            Close …<span class="unseen"> {symbol}</span>
          </button>
        </div>
      </td>
    </tr>
  );
}

function ExitLevels({ position, orders }: { position: Position; orders: readonly WorkingOrder[] }) {
  const { takeProfits, stopLosses, unprotectedQty } = exitsOf(position, orders);
  return (
    <div class="stack">
      {stopLosses.map(({ orderId, remainingQty, stopPrice, trailOffset }) => (
        <span key={orderId}>
          Stop {stopPrice ?? (trailOffset === null ? "" : `${trailOffset} behind`)} × {remainingQty}
        </span>
      ))}
      {takeProfits.map(({ orderId, remainingQty, limitPrice }) => (
        <span key={orderId}>
          Target {limitPrice ?? ""} × {remainingQty}
        </span>
      ))}
      {unprotectedQty > 0 && (
        <Mark tone="watch">
          {stopLosses.length === 0 ? "No stop-loss" : `${unprotectedQty} without a stop-loss`}
        </Mark>
      )}
    </div>
  );
}

const pnlTone = (amount: number): string => (amount > 0 ? "gain" : amount < 0 ? "loss" : "");
