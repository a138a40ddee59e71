import { moneyText, moneyTone } from "../../parts/figure-text.ts";
import { Price } from "../../parts/price.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { ProtectionMark } from "./protection-mark.tsx";
import type { Position } from "./types.ts";

const COLUMNS = [
  "Contract",
  "Position",
  { figure: "Average" },
  { figure: "Mark" },
  { figure: "Open P&L" },
  "Stop and target",
  ACTS,
];

/** What is held, what it is worth, and what would get out of it. */
export function PositionsTable({
  positions,
  onFlattenAll,
  onFlatten,
  onProtect,
}: {
  positions: readonly Position[] | undefined;
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
      {positions?.length === 0 && <p class="empty">No open positions.</p>}
      {positions !== undefined && positions.length > 0 && (
        <Table look="cards" columns={COLUMNS}>
          {positions.map((position) => (
            <PositionRow
              key={position.symbol}
              position={position}
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
  onFlatten,
  onProtect,
}: {
  position: Position;
  onFlatten: () => void;
  onProtect: () => void;
}) {
  const { averagePrice, currency, markPrice, qty, side, symbol } = position;
  const { tickSize, unrealizedPnl: pnl, unrealizedTicks: ticks } = position;
  return (
    <tr>
      <th scope="row" data-name="Contract">
        {symbol}
      </th>
      <td data-name="Position">
        {side === "long" ? "▲ Long" : "▼ Short"} {qty}
      </td>
      <td data-name="Average" class="number">
        <Price price={averagePrice} tickSize={tickSize} />
      </td>
      <td data-name="Mark" class="number">
        <Price price={markPrice} tickSize={tickSize} />
      </td>
      <td data-name="Open P&L" class={`number ${pnl === null ? "" : moneyTone(pnl)}`}>
        <div>
          {pnl === null ? <span class="quiet">No market data</span> : moneyText(pnl, currency)}
          {ticks !== null && <div class="quiet">{ticks} ticks</div>}
        </div>
      </td>
      <td data-name="Stop and target">
        <ProtectionMark position={position} />
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
