import { useRef } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { countText } from "../../parts/figure-text.ts";
import { contractsText, orderText, positionText } from "./exits.ts";
import type { AccountRef, Flattened, Position, WorkingOrder } from "./types.ts";

type Held = Pick<Position, "side" | "qty" | "symbol">;

interface Open {
  readonly positions: readonly Held[];
  /** Undefined while they are not known. */
  readonly orders: readonly WorkingOrder[] | undefined;
}

/** Closes one position or all of them, after naming each with the exits that go with it. */
export function Flatten({
  account,
  only,
  onFlattened,
  onClose,
  onDone,
  ...open
}: {
  account: AccountRef;
  /** Without it every position goes. */
  only: Held | undefined;
  onFlattened: (flattened: Flattened) => void;
  onClose: () => void;
  onDone: () => void;
} & Open) {
  // What was agreed to stands in sight while it is carried out.
  const agreed = useRef<Open | null>(null);
  const { positions, orders } = agreed.current ?? open;
  const going = positions.filter(({ symbol }) => only === undefined || symbol === only.symbol);
  const total = going.reduce((sum, { qty }) => sum + qty, 0);
  const params = {
    path: { id: account.id },
    query: only === undefined ? {} : { symbol: only.symbol },
  };
  return (
    <Confirm
      title={only === undefined ? "Close every position" : `Close the position in ${only.symbol}`}
      verb={`Close ${contractsText(total)}`}
      onClose={onClose}
      onConfirm={async () => {
        agreed.current = open;
        try {
          onFlattened(await answerOf(api.DELETE("/v1/accounts/{id}/positions", { params })));
        } finally {
          agreed.current = null;
          onDone();
        }
      }}
    >
      <AccountName account={account} />
      {going.length === 0 ? (
        <p>No position is open now. Any position opened before you confirm is closed.</p>
      ) : (
        <p>Closed at the market:</p>
      )}
      <ul class="plain">
        {going.map((position) => (
          <Going key={position.symbol} position={position} orders={orders} />
        ))}
      </ul>
      <Staying positions={positions} orders={orders} going={going} />
    </Confirm>
  );
}

function Going({
  position,
  orders,
}: {
  position: Held;
  orders: readonly WorkingOrder[] | undefined;
}) {
  const exits = orders?.filter(isExitIn([position]));
  return (
    <li>
      <strong>{positionText(position)}</strong>
      {exits === undefined && <div>Its take-profits and stop-losses are cancelled.</div>}
      {exits?.length === 0 && <div class="quiet">It has no stop-loss or target to cancel.</div>}
      {exits?.map((order) => (
        <div key={order.orderId}>Cancelled: {orderText(order)}</div>
      ))}
    </li>
  );
}

function Staying({
  positions,
  orders = [],
  going,
}: {
  positions: readonly Held[];
  orders: readonly WorkingOrder[] | undefined;
  going: readonly Held[];
}) {
  const kept = [
    ...positions.filter((position) => !going.includes(position)).map(positionText),
    ...orders.filter((order) => !isExitIn(going)(order)).map(orderText),
  ];
  if (kept.length === 0) return <p>Nothing else is open in the account.</p>;
  return (
    <div class="stack">
      <p>These stay:</p>
      <ul class="plain">
        {kept.map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
    </div>
  );
}

/** Exits that rest, in the symbols of these positions. Those of unfilled entries go with their entry. */
const isExitIn =
  (positions: readonly Held[]) =>
  ({ role, status, symbol }: WorkingOrder): boolean =>
    role !== "entry" && status !== "held" && positions.some((held) => held.symbol === symbol);

/** What came of closing, in the gateway's words; what remains is never passed over. */
export function FlattenedNotice({ flattened }: { flattened: Flattened }) {
  const { canceledOrders, closed, problems, remaining, remainingOrders } = flattened;
  const isWhole = problems.length === 0 && remaining.length === 0 && remainingOrders.length === 0;
  const nothing = isWhole ? "No position was open." : "No position was closed.";
  return (
    <div class={`notice ${isWhole ? "good" : "bad"}`} role="status">
      <strong>
        {closed.length === 0 ? nothing : `Closed: ${textOf(closed)}.`}{" "}
        {canceledOrders.length > 0 && `Cancelled ${countText(canceledOrders.length, "order")}.`}
      </strong>
      {remaining.length > 0 && <p>Still open: {textOf(remaining)}.</p>}
      {remainingOrders.length > 0 && <p>Still working: {remainingOrders.join(", ")}.</p>}
      {problems.map((problem) => (
        <p key={problem}>{problem}</p>
      ))}
    </div>
  );
}

const textOf = (held: Flattened["closed"] | Flattened["remaining"]): string =>
  held.map(positionText).join(", ");
