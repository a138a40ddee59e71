import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { priceText } from "../../parts/figure-text.ts";
import { Pair } from "../../parts/page.tsx";
import { contractsText, exitsOf, orderText, positionText } from "./exits.ts";
import type { Account, Leg, Position, WorkingOrder } from "./types.ts";

/** Puts a take-profit and a stop-loss on all of a position, or moves what is there. */
export function Protect({
  account,
  position,
  orders,
  onClose,
  onDone,
}: {
  account: Account;
  position: Position;
  orders: readonly WorkingOrder[];
  onClose: () => void;
  onDone: () => void;
}) {
  const [stop, setStop] = useState<LegTyped>(EMPTY_LEG);
  const [target, setTarget] = useState<LegTyped>(EMPTY_LEG);
  const action = useAction();
  const stopLoss = legOf(stop);
  const takeProfit = legOf(target);
  const isAsked = stopLoss !== undefined || takeProfit !== undefined;
  const protect = async () => {
    const body = {
      symbol: position.symbol,
      ...(stopLoss !== undefined && { stopLoss }),
      ...(takeProfit !== undefined && { takeProfit }),
    };
    const params = { path: { id: account.id } };
    try {
      await answerOf(api.POST("/v1/accounts/{id}/protect", { params, body }));
    } finally {
      onDone();
    }
    onClose();
  };
  const { error } = action;
  return (
    <Dialog title={`Protect ${position.symbol}`} onClose={onClose}>
      <AccountName account={account} />
      <Present position={position} orders={orders} />
      <Form
        action={action}
        verb={`Protect ${contractsText(position.qty)}`}
        cancel="Leave it as it is"
        isReady={isAsked}
        onSend={protect}
        onClose={onClose}
      >
        <LegInputs label="Stop-loss" path="stopLoss" leg={stop} onLeg={setStop} error={error} />
        <LegInputs
          label="Take-profit"
          path="takeProfit"
          leg={target}
          onLeg={setTarget}
          error={error}
        />
        <p role="status">
          {isAsked && `For ${contractsText(position.qty)}: ${legsText({ stopLoss, takeProfit })}. `}
          What is left empty stays as it is.
        </p>
      </Form>
    </Dialog>
  );
}

function legsText({ stopLoss, takeProfit }: Record<"stopLoss" | "takeProfit", Leg | undefined>) {
  const legs = [
    ...(stopLoss === undefined ? [] : [`stop-loss ${legText(stopLoss)}`]),
    ...(takeProfit === undefined ? [] : [`take-profit ${legText(takeProfit)}`]),
  ];
  return legs.join(", ");
}

function Present({ position, orders }: { position: Position; orders: readonly WorkingOrder[] }) {
  const { takeProfits, stopLosses } = exitsOf(position, orders);
  const levels = [...stopLosses, ...takeProfits];
  return (
    <dl class="pairs">
      <Pair name="Held">
        {positionText(position)}
        {position.averagePrice !== null &&
          ` at ${priceText(position.averagePrice, position.tickSize)}`}
        {position.markPrice !== null &&
          `, mark ${priceText(position.markPrice, position.tickSize)}`}
      </Pair>
      <Pair name="Stop and target now">
        {levels.length === 0
          ? "none"
          : levels.map((order) => <div key={order.orderId}>{orderText(order)}</div>)}
      </Pair>
    </dl>
  );
}

const UNITS = [
  ["price", "At a price"],
  ["ticks", "Ticks from the average price"],
  ["offset", "Points from the average price"],
] as const;
type Unit = (typeof UNITS)[number][0];

/** As it stands in the form. */
interface LegTyped {
  readonly unit: Unit;
  readonly text: string;
}

const EMPTY_LEG: LegTyped = { unit: "price", text: "" };

/** Undefined while nothing that could be a level is typed. */
function legOf({ unit, text }: LegTyped): Leg | undefined {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? undefined : { [unit]: number };
}

function legText({ price, ticks, offset }: Leg): string {
  if (price !== undefined) return `at ${price}`;
  if (ticks !== undefined) return `${ticks} ticks away`;
  return `${offset ?? 0} points away`;
}

/** One exit's level: by price, in ticks or by a distance. */
function LegInputs({
  label,
  path,
  leg,
  onLeg,
  error,
}: {
  label: string;
  /** Where the API names it in what it refuses. */
  path: string;
  leg: LegTyped;
  onLeg: (leg: LegTyped) => void;
  error: Error | undefined;
}) {
  return (
    <fieldset class="pair">
      <legend>{label}</legend>
      <SelectField
        label="Given"
        name={`${path}.unit`}
        value={leg.unit}
        options={UNITS}
        onValue={(unit) => onLeg({ ...leg, unit })}
      />
      <TextField
        label={leg.unit === "price" ? "Price" : leg.unit === "ticks" ? "Ticks" : "Points"}
        name={`${path}.${leg.unit}`}
        type={leg.unit === "ticks" ? "number" : "decimal"}
        value={leg.text}
        onValue={(text) => onLeg({ ...leg, text })}
        error={error}
      />
    </fieldset>
  );
}
