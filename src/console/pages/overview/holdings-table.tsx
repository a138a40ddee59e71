import { useState } from "preact/hooks";
import { countText, moneyText, moneyTone } from "../../parts/figure-text.ts";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { ACTS, Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { Flatten, FlattenedNotice } from "../accounts/flatten.tsx";
import { Price, ProtectionMark } from "../accounts/positions-table.tsx";
import type { Flattened } from "../accounts/types.ts";
import { CloseAll } from "./close-all.tsx";
import type { Holding, Overview } from "./types.ts";

const COLUMNS = [
  "Account",
  "Contract",
  "Position",
  { figure: "Average" },
  { figure: "Mark" },
  { figure: "Open P&L" },
  "Stop and target",
  ACTS,
];

/** All that is held, over every account: what needs a person first. */
export function HoldingsTable({
  overview: { holdings, positions },
  refresh,
}: {
  overview: Overview;
  refresh: () => void;
}) {
  const [closing, setClosing] = useState<Holding | "all">();
  const [flattened, setFlattened] = useState<Flattened>();
  const close = () => setClosing(undefined);
  return (
    <Sheet
      title="Open positions"
      end={
        holdings.length > 0 && (
          <button type="button" class="small danger" onClick={() => setClosing("all")}>
            Close all positions …
          </button>
        )
      }
    >
      {flattened !== undefined && <FlattenedNotice flattened={flattened} />}
      {holdings.length === 0 ? (
        <p class="empty">No open positions.</p>
      ) : (
        <Table look="cards" columns={COLUMNS}>
          {holdings.map((holding) => (
            <HoldingRow
              key={`${holding.accountId} ${holding.symbol}`}
              holding={holding}
              onClose={() => setClosing(holding)}
            />
          ))}
        </Table>
      )}
      {positions.held > holdings.length && (
        <p class="empty">
          {countText(positions.held - holdings.length, "more position")} on the page{" "}
          <a href="#/accounts">Accounts</a>.
        </p>
      )}
      {closing === "all" && <CloseAll holdings={holdings} onClose={close} onDone={refresh} />}
      {closing !== undefined && closing !== "all" && (
        <Flatten
          account={{
            id: closing.accountId,
            name: closing.accountName,
            environment: closing.environment,
          }}
          positions={holdings.filter(({ accountId }) => accountId === closing.accountId)}
          orders={undefined}
          only={closing}
          onFlattened={setFlattened}
          onClose={close}
          onDone={refresh}
        />
      )}
    </Sheet>
  );
}

function HoldingRow({ holding, onClose }: { holding: Holding; onClose: () => void }) {
  const { accountId, accountName, asOf, averagePrice, currency, environment, live } = holding;
  const { markPrice, qty, side, symbol, tickSize, unrealizedPnl: pnl } = holding;
  return (
    <tr>
      <th scope="row" data-name="Account">
        <div class="row">
          <a href={`#/accounts?account=${encodeURIComponent(accountId)}`}>{accountName}</a>
          <EnvironmentBadge environment={environment} />
        </div>
      </th>
      <td data-name="Contract">
        <div>
          {symbol}
          {!live && (
            <div class="quiet">
              as of <Time at={asOf} />
            </div>
          )}
        </div>
      </td>
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
        {pnl === null ? <span class="quiet">No market data</span> : moneyText(pnl, currency)}
      </td>
      <td data-name="Stop and target">
        <ProtectionMark position={holding} />
      </td>
      <td>
        <div class="actions end">
          <button type="button" class="small danger" onClick={onClose}>
            Close …
            <span class="unseen">
              {" "}
              {symbol} on {accountName}
            </span>
          </button>
        </div>
      </td>
    </tr>
  );
}
