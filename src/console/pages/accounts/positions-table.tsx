import { Age } from "../../parts/age.tsx";
import { moneyText, moneyTone, priceText } from "../../parts/figure-text.ts";
import type { Marked } from "../../parts/marked.ts";
import { Mark } from "../../parts/mark.tsx";
import { isStaleAge } from "../../parts/money.ts";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import type { Position } from "./types.ts";

type Held = Pick<Position, "averagePrice" | "markPrice" | "qty" | "side" | "tickSize"> & Marked;

type Row = Position & Marked;

/** What is held, and at which prices. */
export const HELD: readonly Column<Held>[] = [
  {
    head: "Position",
    cell: ({ qty, side }) => `${side === "long" ? "▲ Long" : "▼ Short"} ${qty}`,
  },
  {
    head: { figure: "Average" },
    cell: ({ averagePrice, tickSize }) => <Price price={averagePrice} tickSize={tickSize} />,
  },
  {
    head: { figure: "Mark" },
    cell: ({ markAgeMs, markPrice, tickSize }) => (
      <div class="stack">
        <Price price={markPrice} tickSize={tickSize} />
        {isOld({ markAgeMs }) && <Age ms={markAgeMs ?? 0} />}
      </div>
    ),
  },
];

/** The market may be elsewhere by now. */
const isOld = ({ markAgeMs }: Marked): boolean => markAgeMs !== null && isStaleAge(markAgeMs);

type Open = Pick<Position, "currency" | "unrealizedPnl"> & Marked;

/** What it has won or lost so far. */
export const openPnl = ({ currency, unrealizedPnl: pnl }: Open) =>
  pnl === null ? <span class="quiet">No market data</span> : moneyText(pnl, currency);

export const openPnlLook = ({ unrealizedPnl: pnl, ...mark }: Open): string =>
  `number ${pnl === null ? "" : isOld(mark) ? "quiet" : moneyTone(pnl)}`;

const columnsOf = (
  onFlatten: (position: Position) => void,
  onProtect: (position: Position) => void,
): readonly Column<Row>[] => [
  { head: "Contract", cell: ({ symbol }) => symbol },
  ...HELD,
  {
    head: { figure: "Open P&L" },
    look: openPnlLook,
    cell: (position) => (
      <div>
        {openPnl(position)}
        {position.unrealizedTicks !== null && (
          <div class="quiet">{position.unrealizedTicks} ticks</div>
        )}
      </div>
    ),
  },
  { head: "Stop and target", cell: (position) => <ProtectionMark position={position} /> },
  {
    head: ACTS,
    cell: (position) => (
      <div class="actions end">
        <button type="button" class="small" onClick={() => onProtect(position)}>
          Protect …<span class="unseen"> {position.symbol}</span>
        </button>
        <button type="button" class="small danger" onClick={() => onFlatten(position)}>
          Close …<span class="unseen"> {position.symbol}</span>
        </button>
      </div>
    ),
  },
];

/** What is held, what it is worth, and what would get out of it. */
export function PositionsTable({
  positions,
  onFlattenAll,
  onFlatten,
  onProtect,
}: {
  positions: readonly Row[] | undefined;
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
        <CardTable
          rows={positions}
          keyOf={({ symbol }) => symbol}
          columns={columnsOf(onFlatten, onProtect)}
        />
      )}
    </section>
  );
}

type Level = NonNullable<Position["stopLosses"]>[number];

const OPENERS = {
  alert: "the alert",
  api: "the API call",
  operator: "the command line",
  copy: "the copied trade",
  strategy: "the strategy",
  guard: "the guard",
  timeout: "the timeout of an order",
  elsewhere: "whoever opened it at the broker",
} as const;

/** The stop-loss and target that rest for a position, and whose choice it is where there is none. */
export function ProtectionMark({
  position,
}: {
  position: Pick<Position, "protection" | "stopLosses" | "takeProfits" | "tickSize" | "qty">;
}) {
  const { stopLosses, takeProfits, tickSize } = position;
  return (
    <div class="stack">
      {stopLosses?.map((level, index) => (
        <span key={index}>Stop {levelText(level, tickSize)}</span>
      ))}
      {takeProfits?.map((level, index) => (
        <span key={index}>Target {levelText(level, tickSize)}</span>
      ))}
      <Lacking {...position} />
    </div>
  );
}

function Lacking({
  protection: { missing, openedBy, reason, state },
  stopLosses,
  qty,
}: Pick<Position, "protection" | "stopLosses" | "qty">) {
  const stopped = stopLosses?.reduce((sum, level) => sum + level.qty, 0) ?? 0;
  const what = stopped === 0 ? "No stop-loss" : `No stop-loss for ${qty - stopped} of ${qty}`;
  switch (state) {
    case "protected":
      return null;
    case "noneAsked":
      return (
        <>
          <Mark tone="watch">{what}</Mark>
          <span class="quiet">
            {openedBy === null
              ? "no record of a stop being requested"
              : `not requested by ${OPENERS[openedBy]}`}
          </span>
        </>
      );
    case "missing":
      return (
        <>
          <Mark tone="bad">{missing.includes("stopLoss") ? what : "No take-profit"}</Mark>
          <span class="quiet">requested, but not at the broker</span>
        </>
      );
    case "unknown":
      return (
        <>
          <Mark tone="watch">Stop-loss unknown</Mark>
          <span class="quiet">{reason}</span>
        </>
      );
  }
}

function levelText({ price, qty, trailOffset }: Level, tickSize: number | null): string {
  const at =
    price !== null
      ? priceText(price, tickSize)
      : trailOffset === null
        ? ""
        : `${priceText(trailOffset, tickSize)} behind`;
  return `${at} × ${qty}`;
}

/** A price as it is quoted; all of its digits are in its title. */
function Price({ price, tickSize }: { price: number | null; tickSize: number | null }) {
  if (price === null) return <span class="quiet">No market data</span>;
  return <span title={String(price)}>{priceText(price, tickSize)}</span>;
}
