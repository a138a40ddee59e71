import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/confirm.tsx";
import type { Account } from "./types.ts";

/** Says what a strategy that trades will do, before it may. */
export function AskToTrade({
  terms: { accountId, qty, symbol },
  hasSchedule,
  accounts,
  verb,
  onConfirm,
  onClose,
}: {
  terms: { readonly accountId: string; readonly qty: number | string; readonly symbol: string };
  hasSchedule: boolean;
  accounts: readonly Account[];
  /** What the button says that does it. */
  verb: string;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  return (
    <Confirm title="Let it trade" verb={verb} onConfirm={onConfirm} onClose={onClose}>
      <p class="row">
        <strong class="row">
          <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
        </strong>
        {symbol}
      </p>
      <p>
        {hasSchedule ? (
          <>
            From now on it <strong>sends orders by itself</strong>, and nobody is asked before. At
            each time of its schedule
          </>
        ) : (
          <>
            It has no schedule, so it <strong>sends orders when it is asked to</strong>, here or
            over the API. Then
          </>
        )}{" "}
        it buys or sells {qty} of {symbol} at the market when an entry is true, turns a position
        that is held on the other side, and closes what is held when an exit is true: also what you
        have opened there yourself.
      </p>
      <p>The account's limits and kill switches hold for it as for everything else.</p>
    </Confirm>
  );
}
