import type { ComponentChildren } from "preact";
import { Age, Noted, NotTold } from "../../parts/age.tsx";
import { amountText, countText, moneyText, moneyTone } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import {
  type AccountMoney,
  ageOf,
  type BrokerFigures,
  type CurrencyFigures,
  isStaleAge,
  MOST_VALUED,
  type OwnFigures,
} from "../../parts/money.ts";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import type { Polled } from "../../shell/poll.ts";
import { moneyOf } from "../../shell/use-money.ts";
import { DayOfAccount } from "./account-day.tsx";

/** What an account is worth: by the broker, and beside it by the gateway's own ledger and prices. */
export function Balances({
  accountId,
  money,
}: {
  accountId: string;
  money: Polled<readonly AccountMoney[]>;
}) {
  const known = moneyOf(money, accountId);
  return (
    <section class="block">
      <header>
        <h4>Balances</h4>
        {known !== undefined && <DayOfAccount account={known.account} onChanged={money.refresh} />}
      </header>
      <Stale error={money.error} since={money.answeredAt} />
      {known === undefined ? (
        <p class="empty">{whyNone(money)}</p>
      ) : (
        <OfAccount account={known.account} answeredAt={known.answeredAt} />
      )}
    </section>
  );
}

function whyNone({ data, error }: Polled<readonly AccountMoney[]>): string {
  if (data === undefined) return error === undefined ? "One moment …" : "Not known.";
  return data.length >= MOST_VALUED
    ? `Shown of ${MOST_VALUED} accounts at most. GET /v1/accounts/{id}/balances tells them of each.`
    : "Not known yet.";
}

function OfAccount({ account, answeredAt }: { account: AccountMoney; answeredAt: number }) {
  const { currencies, pricesMissing } = account;
  const differing = currencies.filter(({ differs }) => differs);
  return (
    <>
      {pricesMissing !== null && (
        <p class="notice watch">
          <strong>No prices.</strong> {pricesMissing}
        </p>
      )}
      {differing.map(({ currency }) => (
        <p key={currency} class="notice bad">
          <strong>Broker and ledger differ.</strong> They do not agree on what was won today in{" "}
          {currency ?? "an unknown currency"}. Just after a trade that is normal; if it stays,
          compare the ledger below with the broker's own list.
        </p>
      ))}
      {currencies.length === 0 && (
        <p class="empty">The broker tells no balance, and nothing was traded today.</p>
      )}
      {currencies.map((figures) => (
        <OfCurrency
          key={figures.currency}
          figures={figures}
          answered={{ asOf: account.asOf, answeredAt }}
          tradingDay={account.tradingDay}
        />
      ))}
    </>
  );
}

type Text = (amount: number, currency: string | null) => string;

/** What is shown, by whom it is told, and whether it is a gain or a loss. */
const LINES: readonly {
  readonly name: string;
  readonly broker?: (figures: BrokerFigures) => number | null;
  readonly gateway?: (figures: OwnFigures) => number | null;
  readonly text: Text;
  readonly hasPrices?: boolean;
}[] = [
  { name: "Cash", broker: ({ cash }) => cash, text: amountText },
  { name: "With open positions", broker: ({ netLiquidation: one }) => one, text: amountText },
  {
    name: "Closed today",
    broker: ({ realizedPnl }) => realizedPnl,
    gateway: ({ realizedPnl }) => realizedPnl,
    text: moneyText,
  },
  {
    name: "Open P&L",
    broker: ({ openPnl }) => openPnl,
    gateway: ({ openPnl }) => openPnl,
    text: moneyText,
    hasPrices: true,
  },
  {
    name: "Fees today",
    broker: ({ fees }) => fees,
    // Where none of them is known, they are not 0.
    gateway: ({ contractsWithoutFee, fees }) =>
      fees === 0 && contractsWithoutFee > 0 ? null : fees,
    text: amountText,
  },
  { name: "Day, net", gateway: ({ net }) => net, text: moneyText, hasPrices: true },
  { name: "Initial margin", broker: ({ initialMargin: one }) => one, text: amountText },
  { name: "Maintenance margin", broker: ({ maintenanceMargin: one }) => one, text: amountText },
  { name: "Room above the margin", broker: ({ marginExcess: one }) => one, text: amountText },
];

interface Answered {
  readonly asOf: string;
  readonly answeredAt: number;
}

function OfCurrency({
  figures: { broker, currency, differs, gateway },
  answered,
  tradingDay,
}: {
  figures: CurrencyFigures;
  answered: Answered;
  tradingDay: string;
}) {
  const now = useNow();
  const pricesAge = gateway?.pricedAt ? ageOf(gateway.pricedAt, answered, now) : 0;
  const areOld = isStaleAge(pricesAge);
  const rows = LINES.flatMap(({ name, text, hasPrices = false, ...of }): Row[] => {
    const theirs = broker === null ? null : (of.broker?.(broker) ?? null);
    const ours = gateway === null ? null : (of.gateway?.(gateway) ?? null);
    if (theirs === null && ours === null) return [];
    const shared = { text, currency };
    const isPlain = text !== moneyText;
    return [
      {
        name: name === "Closed today" && differs ? <Differing name={name} /> : name,
        key: name,
        broker: <Amount {...shared} amount={theirs} isPlain={isPlain} />,
        ledger: <Amount {...shared} amount={ours} isPlain={isPlain || (hasPrices && areOld)} />,
      },
    ];
  });
  const asOf: Row = {
    name: "As of",
    key: "asOf",
    broker: <BrokerAsOf broker={broker} tradingDay={tradingDay} />,
    ledger: <LedgerAsOf gateway={gateway} pricesAge={pricesAge} />,
  };
  return (
    <CardTable
      rows={[...rows, asOf]}
      keyOf={({ key }) => key}
      columns={columnsOf(currency ?? "Currency not known")}
    />
  );
}

interface Row {
  readonly key: string;
  readonly name: ComponentChildren;
  readonly broker: ComponentChildren;
  readonly ledger: ComponentChildren;
}

const columnsOf = (currency: string): readonly Column<Row>[] => [
  { head: currency, cell: ({ name }) => name },
  { head: { figure: "Broker" }, cell: ({ broker }) => broker },
  { head: { figure: "Ledger" }, cell: ({ ledger }) => ledger },
];

const Differing = ({ name }: { name: string }) => (
  <span class="row">
    {name} <Mark tone="bad">differs</Mark>
  </span>
);

function BrokerAsOf({ broker, tradingDay }: { broker: BrokerFigures | null; tradingDay: string }) {
  if (broker === null) return <NotTold why="The broker tells no balance" />;
  const { asOf, tradingDay: counted } = broker;
  const isOther = counted !== null && counted !== tradingDay;
  return (
    <Noted notes={isOther ? [`of trading day ${counted}`] : []}>
      <Time at={asOf} />
    </Noted>
  );
}

function LedgerAsOf({ gateway, pricesAge }: { gateway: OwnFigures | null; pricesAge: number }) {
  if (gateway === null) return <span class="quiet">nothing was traded today</span>;
  const { pricedAt, unpriced } = gateway;
  return (
    <Noted notes={notesOf(gateway)}>
      {pricedAt === null ? (
        <span class="quiet">{unpriced.length > 0 ? "not priced" : "nothing is open"}</span>
      ) : (
        <span class="row">
          prices of <Time at={pricedAt} />
          {isStaleAge(pricesAge) && <Age ms={pricesAge} />}
        </span>
      )}
    </Noted>
  );
}

function notesOf({
  contractsWithoutFee,
  estimated,
  feesExpected,
  unpriced,
}: OwnFigures): readonly string[] {
  return [
    ...(unpriced.length > 0 ? [`no price of ${unpriced.join(", ")}`] : []),
    ...(estimated ? ["partly an estimate"] : []),
    ...(feesExpected ? ["some fees as expected"] : []),
    ...(contractsWithoutFee > 0
      ? [`without the fees of ${countText(contractsWithoutFee, "contract")}`]
      : []),
  ];
}

function Amount({
  text,
  amount,
  currency,
  isPlain,
}: {
  text: Text;
  amount: number | null;
  currency: string | null;
  isPlain: boolean;
}) {
  if (amount === null) return <NotTold why="Not told" />;
  return <span class={isPlain ? "" : moneyTone(amount)}>{text(amount, currency)}</span>;
}
