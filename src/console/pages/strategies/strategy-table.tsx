import { AccountOf } from "../../parts/account-of.tsx";
import { Table } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { LastDecision } from "./last-decision.tsx";
import { ModeMark, StrategyStanding } from "./strategy-standing.tsx";
import { barWord } from "./term-words.ts";
import type { Strategy, World } from "./types.ts";

const COLUMNS = ["Name", "Account", "Market", "Mode", "State", "Last decision", "Next evaluation"];

/** Every strategy in a line, each with a page of its own. */
export function StrategyTable({ world: { accounts, strategies } }: { world: World }) {
  if (strategies.length === 0) {
    return (
      <p class="empty">
        No strategy yet. A strategy looks at bars and indicators by a schedule, and says, or trades,
        what its conditions come to.
      </p>
    );
  }
  return (
    <div class="strategies">
      <Table look="cards" columns={COLUMNS}>
        {strategies.map((strategy) => (
          <StrategyRow key={strategy.id} strategy={strategy} accounts={accounts} />
        ))}
      </Table>
    </div>
  );
}

function StrategyRow({ strategy, accounts }: { strategy: Strategy } & Pick<World, "accounts">) {
  const { accountId, barMinutes, id, mode, name, nextEvaluationAt, symbol } = strategy;
  return (
    <tr>
      <th scope="row" data-name="Name">
        <a href={`#/strategies/${id}`}>{name}</a>
      </th>
      <td data-name="Account">
        <span class="row">
          <AccountOf id={accountId} account={accounts.find((one) => one.id === accountId)} />
        </span>
      </td>
      <td data-name="Market">
        <span>
          {symbol}, {barWord(barMinutes)}
        </span>
      </td>
      <td data-name="Mode">
        <ModeMark mode={mode} />
      </td>
      <td data-name="State" class="told">
        <StrategyStanding strategy={strategy} />
      </td>
      <td data-name="Last decision" class="told">
        <LastDecision evaluation={strategy.lastEvaluation} />
      </td>
      <td data-name="Next evaluation">
        {nextEvaluationAt === null ? (
          <span class="quiet">none</span>
        ) : (
          <Time at={nextEvaluationAt} />
        )}
      </td>
    </tr>
  );
}
