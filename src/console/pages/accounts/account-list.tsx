import { useId, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { markPositions } from "../../parts/marked.ts";
import { EnvironmentBadge, Mark } from "../../parts/mark.tsx";
import type { AccountMoney } from "../../parts/money.ts";
import { Stale } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import { type Polled, usePoll } from "../../shell/poll.ts";
import { moneyOf } from "../../shell/use-money.ts";
import { place } from "../../shell/router.ts";
import { AccountLimits } from "./account-limits.tsx";
import { Balances } from "./balances.tsx";
import { Flatten, FlattenedNotice } from "./flatten.tsx";
import { isStopped, KillSwitchOfAccount } from "./kill-switch.tsx";
import { LastSeen } from "./last-seen.tsx";
import { Ledger } from "./ledger.tsx";
import { PositionsTable } from "./positions-table.tsx";
import { Protect } from "./protect.tsx";
import type { Account, Flattened, KillSwitch, Position, WorkingOrder } from "./types.ts";
import { CancelOrder, WorkingOrdersTable } from "./working-orders-table.tsx";

export function AccountList({
  accounts,
  killSwitch,
  money,
  opensAll,
  refresh,
  why = "its connection was removed",
}: {
  accounts: readonly Account[];
  killSwitch: KillSwitch;
  money: Polled<readonly AccountMoney[]>;
  /** Whether what is active stands open at first. */
  opensAll: boolean;
  refresh: () => void;
  /** Why an inactive one is so. */
  why?: string;
}) {
  if (accounts.length === 0) {
    return <p class="empty">No accounts yet: they are found once it is logged in.</p>;
  }
  return (
    <>
      {accounts.map((account) => (
        <AccountCard
          key={account.id}
          account={account}
          killSwitch={killSwitch}
          money={money}
          isOpenAtFirst={opensAll}
          refresh={refresh}
          why={why}
        />
      ))}
    </>
  );
}

/** One account; opened it shows what it holds, what rests in it, and what it may do. */
function AccountCard({
  account,
  killSwitch,
  money,
  isOpenAtFirst,
  refresh,
  why,
}: {
  account: Account;
  killSwitch: KillSwitch;
  money: Polled<readonly AccountMoney[]>;
  isOpenAtFirst: boolean;
  refresh: () => void;
  why: string;
}) {
  const { active, environment, id, name } = account;
  const isAskedFor = place.value.query.get("account") === id;
  const [isOpen, setIsOpen] = useState(active && (isOpenAtFirst || isAskedFor));
  const panel = useId();
  return (
    <section class={active ? "account" : "account inactive"} aria-label={`Account ${name}`}>
      <div class="head">
        <h3>
          <button
            type="button"
            class="fold"
            aria-expanded={isOpen}
            aria-controls={panel}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span class="sign" aria-hidden="true" />
            {name}
          </button>
        </h3>
        {id !== name && <span class="mono quiet">{id}</span>}
        <a href={`#/accounts/${encodeURIComponent(id)}/guards`}>
          Guards<span class="unseen"> of {name}</span>
        </a>
        <span class="row end">
          {isStopped(killSwitch, id) && <Mark tone="bad">Kill switch on</Mark>}
          {account.cannotCancel !== null && <Mark tone="watch">Cancels refused</Mark>}
          {active ? <Mark tone="good">Active</Mark> : <Mark tone="quiet">Inactive</Mark>}
          <EnvironmentBadge environment={environment} />
        </span>
      </div>
      <div id={panel} class="inside" hidden={!isOpen}>
        {!active && (
          <p>Inactive: {why}. Alerts for it are refused, exits too; look at the broker itself.</p>
        )}
        {isOpen && !active && <LastSeen account={account} />}
        {isOpen && active && <AccountTrading account={account} money={money} />}
        {isOpen && <Balances accountId={id} money={money} />}
        {isOpen && <Ledger accountId={id} />}
        {isOpen && (
          <div class="halves">
            <AccountLimits account={account} />
            <KillSwitchOfAccount account={account} killSwitch={killSwitch} refresh={refresh} />
          </div>
        )}
      </div>
    </section>
  );
}

/** The answer says when the broker told it, and not when it was read: the clocks are taken for one. */
const readAt = (answeredAt: number) => ({ asOf: new Date(answeredAt).toISOString(), answeredAt });

type Asked =
  | { readonly what: "flatten"; readonly position?: Position }
  | { readonly what: "protect"; readonly position: Position }
  | { readonly what: "cancel"; readonly order: WorkingOrder };

/** What an account holds and what rests in it, followed while it is open. */
function AccountTrading({
  account,
  money,
}: {
  account: Account;
  money: Polled<readonly AccountMoney[]>;
}) {
  const params = { path: { id: account.id } };
  const held = usePoll(
    `positions ${account.id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/positions", { params })),
    { refreshOn: { what: ["positions", "orders"], accountId: account.id } },
  );
  const resting = usePoll(
    `orders ${account.id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/working-orders", { params })),
    { refreshOn: { what: ["orders"], accountId: account.id } },
  );
  const [asked, setAsked] = useState<Asked>();
  const [flattened, setFlattened] = useState<Flattened>();
  const positions = held.data?.positions ?? [];
  // Without them nobody knows what protects a position: no list is not an empty one.
  const orders = resting.data?.orders;
  const now = useNow();
  const marked =
    held.answeredAt === undefined
      ? undefined
      : markPositions(positions, readAt(held.answeredAt), moneyOf(money, account.id), now);
  const refresh = () => {
    held.refresh();
    resting.refresh();
  };
  const dialog = { account, onClose: () => setAsked(undefined), onDone: refresh };
  return (
    <>
      <Stale
        error={held.error ?? resting.error}
        since={held.error === undefined ? resting.answeredAt : held.answeredAt}
      />
      {held.data?.live === false && (
        <p class="notice watch">
          The broker does not show this now. It is from <Time at={held.data.asOf} />, and may be
          old.
        </p>
      )}
      {flattened !== undefined && <FlattenedNotice flattened={flattened} />}
      <PositionsTable
        positions={marked}
        onFlattenAll={() => setAsked({ what: "flatten" })}
        onFlatten={(position) => setAsked({ what: "flatten", position })}
        onProtect={(position) => setAsked({ what: "protect", position })}
      />
      <WorkingOrdersTable
        orders={orders}
        onCancel={(order) => setAsked({ what: "cancel", order })}
      />
      {asked?.what === "flatten" && (
        <Flatten
          {...dialog}
          positions={positions}
          orders={orders}
          only={asked.position}
          onFlattened={setFlattened}
        />
      )}
      {asked?.what === "protect" && (
        <Protect {...dialog} position={asked.position} orders={orders ?? []} />
      )}
      {asked?.what === "cancel" && (
        <CancelOrder {...dialog} order={asked.order} orders={orders ?? []} />
      )}
    </>
  );
}
