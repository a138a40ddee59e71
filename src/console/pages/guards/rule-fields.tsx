import { SelectField, TextField } from "../../parts/fields.tsx";
import { DrawdownFields, LotsFields, PnlFields } from "./money-fields.tsx";
import { NewsFields } from "./news-fields.tsx";
import type { RuleFieldsProps } from "./rule-field-props.ts";
import { FlatBeforeCloseFields, FlatByFields, WindowFields } from "./schedule-fields.tsx";
import { TextLines } from "./text-lines.tsx";

/** What a rule of its kind asks for. */
export function FieldsOfKind(props: RuleFieldsProps) {
  switch (props.typed.kind) {
    case "loss":
    case "profit":
      return <PnlFields {...props} />;
    case "drawdown":
      return <DrawdownFields {...props} />;
    case "lots":
      return <LotsFields {...props} />;
    case "orderValue":
      return <OrderValueFields {...props} />;
    case "opposite":
      return <OppositeFields {...props} />;
    case "count":
      return <CountFields {...props} />;
    case "consistency":
      return <ConsistencyFields {...props} />;
    case "window":
      return <WindowFields {...props} />;
    case "flatBy":
      return <FlatByFields {...props} />;
    case "flatBeforeClose":
      return <FlatBeforeCloseFields {...props} />;
    case "flatBeforeRoll":
      return <FlatBeforeRollFields {...props} />;
    case "news":
      return <NewsFields {...props} />;
  }
}

const OrderValueFields = ({ currency, tie }: RuleFieldsProps) => (
  <TextField
    {...tie("maxValue")}
    name="max"
    label={`At most, ${currency}`}
    type="decimal"
    hint="Quantity × price × what a point is worth."
    required
  />
);

const OppositeFields = ({ tie }: RuleFieldsProps) => (
  <TextLines
    {...tie("groups")}
    label="Groups of contracts"
    hint="A group in each line, such as ES, MES: within it, none of your accounts is long while another one is short."
  />
);

const COUNTED = [
  ["trades", "Trades, from flat on"],
  ["executions", "Fills"],
  ["lossesInRow", "Losses in a row"],
] as const;

const CountFields = ({ tie }: RuleFieldsProps) => (
  <div class="columns">
    <SelectField {...tie("counted")} name="of" label="What is counted" options={COUNTED} />
    <TextField
      {...tie("maxCount")}
      name="max"
      label="At most, on a trading day"
      type="number"
      required
    />
  </div>
);

const ConsistencyFields = ({ tie }: RuleFieldsProps) => (
  <TextField
    {...tie("percent")}
    label="Best day at most, percent of all that was won"
    type="number"
    hint="Counted since the rule was set. It is only told, and refuses nothing."
    required
  />
);

const ROLLS = [
  ["roll", "The roll"],
  ["lastTrade", "The last trading day"],
] as const;

const FlatBeforeRollFields = ({ tie }: RuleFieldsProps) => (
  <div class="columns">
    <TextField
      {...tie("businessDays")}
      label="Business days before"
      type="number"
      hint="0 to 30."
      required
    />
    <SelectField {...tie("rollOf")} name="of" label="Before" options={ROLLS} />
  </div>
);
