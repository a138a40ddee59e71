import { useState } from "preact/hooks";
import { Age, NotTold, Noted } from "../../parts/age.tsx";
import { amountText, countText, moneyText, moneyTone, qtyText } from "../../parts/figure-text.ts";
import { EnvironmentBadge, Mark } from "../../parts/mark.tsx";
import {
  type AccountMoney,
  ageOf,
  type CurrencyFigures,
  isStaleAge,
  MOST_VALUED,
  type OwnFigures,
} from "../../parts/money.ts";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { useNow } from "../../shell/clock.ts";
import { connectionStates } from "../../shell/live.ts";
import type { Polled } from "../../shell/poll.ts";
import { isStatus, stateOf } from "../accounts/connection-state.ts";
import { foldedText, isHolding, splitAccounts } from "./account-rows.ts";

/** Older than this, what is shown says nothing about now. */
const SILENT_AFTER_MS = 12_000;
/** A broker is asked every few seconds of an account that trades, and seldom of others. */
const OLD_BALANCE_MS = 60_000;

/** An account, and when it was answered. */
interface Row {
  readonly account: AccountMoney;
  readonly answeredAt: number;
  readonly now: number;
}

const COLUMNS: readonly Column<Row>[] = [
  {
    head: "Account",
    cell: ({ account: { id, name, environment } }) => (
      <div class="row">
        <a href={`#/accounts?account=${encodeURIComponent(id)}`}>{name}</a>
        <EnvironmentBadge environment={environment} />
      </div>
    ),
  },
  { head: "Position", cell: ({ account }) => <Position account={account} /> },
  { head: { figure: "Open P&L" }, cell: (row) => <OpenPnl {...row} /> },
  { head: { figure: "Day, net" }, cell: (row) => <Day {...row} /> },
  { head: { figure: "Room" }, cell: (row) => <Room {...row} /> },
  { head: "Connection", cell: ({ account }) => <Connection account={account} /> },
];

/** Every account: what it holds, what that and the day have won, and what room is left. */
export function AccountTable({ money }: { money: Polled<readonly AccountMoney[]> }) {
  const { answeredAt, data, error } = money;
  const now = useNow();
  const isSilent = answeredAt !== undefined && now - answeredAt > SILENT_AFTER_MS;
  const isOld = error !== undefined || isSilent;
  return (
    <div class={isOld ? "stale" : "fresh"}>
      <Sheet title="Accounts">
        <Stale error={error} since={answeredAt} />
        {data === undefined && error === undefined && <p class="empty">One moment …</p>}
        {data !== undefined && answeredAt !== undefined && (
          <Rows accounts={data} answeredAt={answeredAt} now={now} />
        )}
      </Sheet>
    </div>
  );
}

function Rows({
  accounts,
  answeredAt,
  now,
}: {
  accounts: readonly AccountMoney[];
  answeredAt: number;
  now: number;
}) {
  const [isOpen, setIsOpen] = useState(false);
  if (accounts.length === 0) {
    return (
      <p class="empty">
        No accounts yet. <a href="#/accounts">Add a connection</a>
      </p>
    );
  }
  const rows = splitAccounts(accounts);
  const table = (some: readonly AccountMoney[]) => (
    <div class="dense">
      <CardTable
        rows={some.map((account) => ({ account, answeredAt, now }))}
        keyOf={({ account }) => account.id}
        columns={COLUMNS}
      />
    </div>
  );
  return (
    <>
      {rows.shown.length > 0 && table(rows.shown)}
      <WithoutPrices accounts={accounts} />
      {rows.folded.length > 0 && (
        <details class="fold-rows" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
          <summary>{foldedText(rows)}</summary>
          {isOpen && table(rows.folded)}
        </details>
      )}
      {accounts.length >= MOST_VALUED && (
        <p class="empty">
          {MOST_VALUED} accounts at most are shown here. All are on the page{" "}
          <a href="#/accounts">Accounts</a>.
        </p>
      )}
    </>
  );
}

/** Each reason once, however many accounts of the connection hold something. */
function WithoutPrices({ accounts }: { accounts: readonly AccountMoney[] }) {
  const reasons = new Map(
    accounts
      .filter(isHolding)
      .flatMap(({ connectionId, pricesMissing }) =>
        pricesMissing === null ? [] : [[connectionId, pricesMissing] as const],
      ),
  );
  if (reasons.size === 0) return null;
  return (
    <ul class="plain notes">
      {[...reasons].map(([connection, reason]) => (
        <li key={connection}>
          <Mark tone="watch">No prices</Mark> <span class="mono">{connection}</span>: {reason}
        </li>
      ))}
    </ul>
  );
}

function Position({ account: { marks } }: { account: AccountMoney }) {
  if (marks.length === 0) return <span class="quiet">flat</span>;
  return (
    <div class="noted">
      {marks.map(({ symbol, netQty }) => (
        <div key={symbol}>
          {qtyText(netQty)} {symbol}
        </div>
      ))}
    </div>
  );
}

/** One line for each currency: nothing is added up over them. */
function OpenPnl({ account, answeredAt, now }: Row) {
  const lines = account.currencies.flatMap(({ currency, gateway }) =>
    gateway === null ? [] : [{ currency, gateway }],
  );
  if (lines.length === 0) return <NotTold why="Nothing is open" />;
  const when = { asOf: account.asOf, answeredAt, now };
  return (
    <div class="stack">
      {lines.map(({ currency, gateway }) => {
        const { estimated, openPnl, unpriced } = gateway;
        const notes = [
          ...(unpriced.length > 0 ? [`no price of ${unpriced.join(", ")}`] : []),
          ...(estimated && openPnl !== null && openPnl !== 0 ? ["estimate"] : []),
        ];
        return (
          <Noted key={currency} notes={notes}>
            {openPnl === null ? (
              <NotTold why={`Not known in ${currency ?? "its currency"}`} />
            ) : (
              <Money amount={openPnl} currency={currency} age={staleAge(gateway, when)} />
            )}
          </Noted>
        );
      })}
    </div>
  );
}

/** What was won today after fees, with what is open. */
function Day({ account, answeredAt, now }: Row) {
  const { asOf, currencies } = account;
  const lines = currencies.filter(
    ({ broker, gateway }) => gateway !== null || (broker?.realizedPnl ?? 0) !== 0,
  );
  if (lines.length === 0) return <NotTold why="Nothing was traded today" />;
  return (
    <div class="stack">
      {lines.map((figures) => (
        <DayOfCurrency key={figures.currency} figures={figures} when={{ asOf, answeredAt, now }} />
      ))}
    </div>
  );
}

interface When {
  readonly asOf: string;
  readonly answeredAt: number;
  readonly now: number;
}

function DayOfCurrency({
  figures: { broker, currency, differs, gateway },
  when,
}: {
  figures: CurrencyFigures;
  when: When;
}) {
  if (gateway === null) {
    const won = broker?.realizedPnl ?? 0;
    return (
      <Noted notes={["by the broker alone, before fees"]}>
        <Money amount={won} currency={currency} />
      </Noted>
    );
  }
  const { net } = gateway;
  return (
    <div class="noted">
      <Noted notes={notesOf(gateway, currency)}>
        {net === null ? (
          <NotTold why={`Not known in ${currency ?? "its currency"}`} />
        ) : (
          <Money amount={net} currency={currency} age={staleAge(gateway, when)} />
        )}
      </Noted>
      {differs && <Mark tone="bad">Broker says otherwise</Mark>}
    </div>
  );
}

/** What is to be known of a day's figure. */
function notesOf(
  { contractsWithoutFee, estimated, feesExpected, net, realizedPnl }: OwnFigures,
  currency: string | null,
): readonly string[] {
  return [
    ...(net === null && realizedPnl !== null
      ? [`closed trades ${moneyText(realizedPnl, currency)}`]
      : []),
    ...(estimated ? ["estimate"] : []),
    ...(feesExpected ? ["fees as expected"] : []),
    ...(contractsWithoutFee > 0
      ? [`without the fees of ${countText(contractsWithoutFee, "contract")}`]
      : []),
  ];
}

/** How old the oldest price in it is, once that is too old; undefined before, and where none is in it. */
function staleAge({ pricedAt }: OwnFigures, { now, ...answered }: When): number | undefined {
  if (pricedAt === null) return undefined;
  const age = ageOf(pricedAt, answered, now);
  return isStaleAge(age) ? age : undefined;
}

/** An amount that was won or lost; where it is stale it has no colour, and says its age. */
function Money({
  amount,
  currency,
  age,
}: {
  amount: number;
  currency: string | null;
  age?: number | undefined;
}) {
  if (age === undefined) {
    return <span class={moneyTone(amount)}>{moneyText(amount, currency)}</span>;
  }
  return (
    <span class="row">
      <span class="quiet">{moneyText(amount, currency)}</span> <Age ms={age} />
    </span>
  );
}

/** What the broker says is left above the margin. */
function Room({ account: { asOf, currencies }, answeredAt, now }: Row) {
  const lines = currencies.flatMap(({ broker, currency }) =>
    broker === null || broker.marginExcess === null
      ? []
      : [{ currency, excess: broker.marginExcess, saidAt: broker.asOf }],
  );
  if (lines.length === 0) return <NotTold why="The broker does not tell it" />;
  return (
    <div class="stack">
      {lines.map(({ currency, excess, saidAt }) => {
        const age = ageOf(saidAt, { asOf, answeredAt }, now);
        const isOld = age > OLD_BALANCE_MS;
        return (
          <span key={currency} class="row">
            <span class={isOld ? "quiet" : excess < 0 ? "loss" : ""}>
              {amountText(excess, currency)}
            </span>
            {isOld && <Age ms={age} />}
          </span>
        );
      })}
    </div>
  );
}

function Connection({
  account: { active, connectionId, connectionStatus },
}: {
  account: AccountMoney;
}) {
  const live = connectionStates.value.get(connectionId);
  const status = isStatus(live) ? live : connectionStatus;
  const { tone, word } = stateOf({ paused: false, status });
  return (
    <div class="row">
      <Mark tone={tone}>{word}</Mark>
      {!active && <Mark tone="quiet">Inactive</Mark>}
    </div>
  );
}
