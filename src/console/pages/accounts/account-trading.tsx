import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Stale } from "../../parts/stale.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { CancelOrder } from "./cancel-order.tsx";
import { Flatten } from "./flatten.tsx";
import { FlattenedNotice } from "./flattened-notice.tsx";
import { PositionsTable } from "./positions-table.tsx";
import { Protect } from "./protect.tsx";
import type { Account, Flattened, Position, WorkingOrder } from "./types.ts";
import { WorkingOrdersTable } from "./working-orders-table.tsx";

type Asked =
  | { readonly what: "flatten"; readonly position?: Position }
  | { readonly what: "protect"; readonly position: Position }
  | { readonly what: "cancel"; readonly order: WorkingOrder };

/** What an account holds and what rests in it, followed while it is open. */
export function AccountTrading({ account }: { account: Account }) {
  const params = { path: { id: account.id } };
  const held = usePoll(
    `positions ${account.id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/positions", { params })),
    { hears: { what: ["positions", "orders"], accountId: account.id } },
  );
  const resting = usePoll(
    `orders ${account.id}`,
    () => answerOf(api.GET("/v1/accounts/{id}/working-orders", { params })),
    { hears: { what: ["orders"], accountId: account.id } },
  );
  const [asked, setAsked] = useState<Asked>();
  const [flattened, setFlattened] = useState<Flattened>();
  const positions = held.data?.positions ?? [];
  // Without them nobody knows what protects a position: no list is not an empty one.
  const orders = resting.data?.orders;
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
          The connection is down: this is from <Time at={held.data.asOf} />, and may be old.
        </p>
      )}
      {flattened !== undefined && <FlattenedNotice flattened={flattened} />}
      <PositionsTable
        positions={held.data?.positions}
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
