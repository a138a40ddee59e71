import { useRef, useState } from "preact/hooks";
import { answerOf, api, toError } from "../../api/client.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { countText } from "../../parts/figure-text.ts";
import { type Marked, markPositions } from "../../parts/marked.ts";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import type { AccountMoney } from "../../parts/money.ts";
import { Sheet } from "../../parts/page.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import type { Polled } from "../../shell/poll.ts";
import { moneyOf } from "../../shell/use-money.ts";
import { contractsText, positionText } from "../accounts/exits.ts";
import { Flatten, FlattenedNotice } from "../accounts/flatten.tsx";
import { HELD, openPnl, openPnlLook, ProtectionMark } from "../accounts/positions-table.tsx";
import type { Flattened } from "../accounts/types.ts";
import type { Holding, Overview } from "./types.ts";

type Row = Holding & Marked;

const columnsOf = (onClose: (holding: Holding) => void): readonly Column<Row>[] => [
  {
    head: "Account",
    cell: ({ accountId, accountName, environment }) => (
      <div class="row">
        <a href={`#/accounts?account=${encodeURIComponent(accountId)}`}>{accountName}</a>
        <EnvironmentBadge environment={environment} />
      </div>
    ),
  },
  {
    head: "Contract",
    cell: ({ asOf, live, symbol }) => (
      <div>
        {symbol}
        {!live && (
          <div class="quiet">
            as of <Time at={asOf} />
          </div>
        )}
      </div>
    ),
  },
  ...HELD,
  { head: { figure: "Open P&L" }, look: openPnlLook, cell: openPnl },
  { head: "Stop and target", cell: (holding) => <ProtectionMark position={holding} /> },
  {
    head: ACTS,
    cell: (holding) => (
      <div class="actions end">
        <button type="button" class="small danger" onClick={() => onClose(holding)}>
          Close …
          <span class="unseen">
            {" "}
            {holding.symbol} on {holding.accountName}
          </span>
        </button>
      </div>
    ),
  },
];

/** All that is held, over every account: what needs a person first. */
export function HoldingsTable({
  overview: { asOf, holdings, positions },
  answeredAt,
  money,
  refresh,
}: {
  overview: Overview;
  answeredAt: number;
  money: Polled<readonly AccountMoney[]>;
  refresh: () => void;
}) {
  const [closing, setClosing] = useState<Holding | "all">();
  const [flattened, setFlattened] = useState<Flattened>();
  const close = () => setClosing(undefined);
  const now = useNow();
  const rows = holdings.flatMap((holding) =>
    markPositions([holding], { asOf, answeredAt }, moneyOf(money, holding.accountId), now),
  );
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
        <CardTable
          rows={rows}
          keyOf={({ accountId, symbol }) => `${accountId} ${symbol}`}
          columns={columnsOf(setClosing)}
        />
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

/** So many accounts are closed at the same time. */
const AT_ONCE = 8;

interface Group {
  readonly id: string;
  readonly name: string;
  readonly environment: string;
  readonly held: readonly Holding[];
}

/** Closes everything in every account, after naming each; what could not be closed is named too. */
function CloseAll({
  holdings,
  onClose,
  onDone,
}: {
  holdings: readonly Holding[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [left, setLeft] = useState<readonly string[]>([]);
  // What was agreed to stands in sight while it is carried out.
  const agreed = useRef(groupsOf(holdings));
  const groups = agreed.current;
  const total = groups.flatMap(({ held }) => held).reduce((sum, { qty }) => sum + qty, 0);
  const closeAll = async () => {
    const problems: string[] = [];
    const waiting = [...groups];
    const work = async () => {
      for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
        problems.push(...(await closeOne(next)));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    onDone();
    setLeft(problems);
    if (problems.length > 0) throw new Error("Not everything was closed. Check what is still open");
  };
  return (
    <Confirm
      title="Close all positions"
      verb={`Close ${contractsText(total)} in ${countText(groups.length, "account")}`}
      onClose={onClose}
      onConfirm={closeAll}
    >
      <p>
        Closed at the market, with their stop-losses and targets cancelled. Resting entry orders
        stay, and new alerts can open positions again: turn the kill switch on first to prevent
        that.
      </p>
      <ul class="plain">
        {groups.map(({ id, name, environment, held }) => (
          <li key={id}>
            <span class="row">
              <strong>{name}</strong>
              <EnvironmentBadge environment={environment} />
            </span>
            {held.map(positionText).join(", ")}
          </li>
        ))}
      </ul>
      {left.length > 0 && (
        <ul class="plain" role="status">
          {left.map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
        </ul>
      )}
    </Confirm>
  );
}

function groupsOf(holdings: readonly Holding[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const holding of holdings) {
    const { accountId: id, accountName: name, environment } = holding;
    const held = [...(groups.get(id)?.held ?? []), holding];
    groups.set(id, { id, name, environment, held });
  }
  return [...groups.values()];
}

/** What went wrong, in words; nothing when all of it is closed. */
async function closeOne({ id, name }: Group): Promise<readonly string[]> {
  try {
    const params = { path: { id } };
    const { problems, remaining } = await answerOf(
      api.DELETE("/v1/accounts/{id}/positions", { params }),
    );
    const held =
      remaining.length === 0 ? [] : [`still open: ${remaining.map(positionText).join(", ")}`];
    return [...problems, ...held].map((text) => `${name}: ${text}`);
  } catch (error) {
    return [`${name}: ${toError(error).message}`];
  }
}
