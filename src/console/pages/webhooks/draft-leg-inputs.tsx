import { SelectField, TextField } from "../../parts/fields.tsx";
import { type Draft, type DraftLeg, LEG_UNITS, legUnitsOf } from "./message-draft.ts";

/** One exit of the message; only the units that its profile can say are offered. */
export function DraftLegInputs({
  label,
  leg,
  draft,
  onLeg,
}: {
  label: string;
  leg: DraftLeg;
  draft: Draft;
  onLeg: (leg: DraftLeg) => void;
}) {
  const units = legUnitsOf(draft);
  const unit = units.includes(leg.unit) ? leg.unit : "none";
  return (
    <fieldset class="pair">
      <legend class="unseen">{label}</legend>
      <SelectField
        label={label}
        name={label}
        value={unit}
        options={LEG_UNITS.filter(([one]) => units.includes(one))}
        onValue={(next) => onLeg({ ...leg, unit: next })}
      />
      {unit !== "none" && (
        <TextField
          label={unit === "price" ? "Price" : unit === "ticks" ? "Ticks" : "Points"}
          name={`${label} ${unit}`}
          value={leg.value}
          onValue={(value) => onLeg({ ...leg, value })}
          placeholder={unit === "price" ? '{{plot("Stop")}}' : ""}
        />
      )}
    </fieldset>
  );
}
