import { NotTold } from "../../parts/age.tsx";
import { ageText, amountText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Sheet } from "../../parts/page.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import type { BrokerRule, Guards } from "./types.ts";
import { Until } from "./until.tsx";

const NAMES: Readonly<Record<BrokerRule["kind"], string>> = {
  dailyLoss: "Daily loss",
  weeklyLoss: "Weekly loss",
  dailyProfit: "Daily profit",
  weeklyProfit: "Weekly profit",
  drawdown: "Drawdown",
  flatBy: "Flat by a time",
};

const GRADES: Readonly<Record<BrokerRule["grade"], string>> = {
  alert: "only tells it",
  exitsOnly: "takes only exits then",
  liquidate: "closes everything then",
};

const columnsOf = (currency: string): readonly Column<BrokerRule>[] => [
  {
    head: "Rule",
    cell: ({ kind, locked }) => (
      <span class="row">
        {NAMES[kind]}
        {locked && <Mark tone="quiet">Locked by the firm</Mark>}
      </span>
    ),
  },
  {
    head: { figure: "Limit" },
    cell: ({ limit }) =>
      limit === null ? <NotTold why="No amount" /> : amountText(limit, currency),
  },
  {
    head: "Floor or time",
    cell: ({ flatAt, floor, trails }) =>
      flatAt !== null ? (
        <Until at={flatAt} />
      ) : floor !== null ? (
        `${amountText(floor, currency)}${trails === null ? "" : trails === "live" ? ", live" : ", by the end of a day"}`
      ) : (
        <NotTold why="Not told" />
      ),
  },
  { head: "At it the broker", cell: ({ grade }) => GRADES[grade] },
];

/** What the broker itself holds against the account: it is read, and never changed. */
export function BrokerGuards({ guards: { broker } }: { guards: Guards }) {
  if (broker === null) return null;
  const { ageMs, currency, refusesEntries, rules } = broker;
  return (
    <Sheet title="The broker's own" end={<span class="quiet">{ageText(ageMs)} old</span>}>
      {refusesEntries !== null && (
        <div class="notice bad">
          <strong>The broker lets nothing in</strong>
          <p>{refusesEntries}</p>
        </div>
      )}
      {rules.length === 0 ? (
        <p class="empty">The broker holds no rule against the account.</p>
      ) : (
        <CardTable rows={rows(rules)} keyOf={({ key }) => key} columns={columnsOf(currency)} />
      )}
      <div class="body">
        <p class="quiet">They are read, and never changed here.</p>
      </div>
    </Sheet>
  );
}

/** The same kind may be there in several grades. */
const rows = (rules: readonly BrokerRule[]) =>
  rules.map((rule) => ({ ...rule, key: `${rule.kind} ${rule.grade}` }));
