import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { Stale } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { Account } from "./types.ts";

/** The positions that an inactive account had last: their age, and the way to correct them. */
export function LastSeen({ account }: { account: Account }) {
  const params = { path: { id: account.id } };
  const held = usePoll(
    `positions ${account.id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/positions", { params })),
    { refreshOn: { what: ["positions"], accountId: account.id } },
  );
  const [isAsked, setIsAsked] = useState(false);
  const forget = async () => {
    try {
      await answerOf(api.POST("/v1/accounts/{id}/positions/forget", { params }));
    } finally {
      held.refresh();
    }
  };
  const { data } = held;
  if (data === undefined || data.positions.length === 0) {
    return <Stale error={held.error} since={held.answeredAt} />;
  }
  return (
    <div class="notice watch">
      <p>
        Last seen <Time at={data.asOf} />:{" "}
        {data.positions.map(({ qty, side, symbol }) => `${side} ${qty} ${symbol}`).join(", ")}.
        Guards of your other accounts count it.
      </p>
      <div class="actions">
        <button type="button" class="small" onClick={() => setIsAsked(true)}>
          It is flat at the broker …
        </button>
      </div>
      {isAsked && (
        <Confirm
          title="Forget the positions"
          verb="It is flat: forget them"
          onConfirm={forget}
          onClose={() => setIsAsked(false)}
        >
          <AccountName account={account} />
          <p>
            Look at the broker first. Nothing is sent there. The ledger closes the positions at an
            estimated price, and guards of your other accounts stop counting them.
          </p>
        </Confirm>
      )}
    </div>
  );
}
