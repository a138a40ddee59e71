import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { Leg } from "./types.ts";

const UNITS = [
  ["price", "At a price"],
  ["ticks", "Ticks from the average price"],
  ["offset", "Points from the average price"],
] as const;
type Unit = (typeof UNITS)[number][0];

/** As it stands in the form. */
export interface LegTyped {
  readonly unit: Unit;
  readonly text: string;
}

export const EMPTY_LEG: LegTyped = { unit: "price", text: "" };

/** Undefined while nothing that could be a level is typed. */
export function legOf({ unit, text }: LegTyped): Leg | undefined {
  const number = Number(text);
  return text.trim() === "" || Number.isNaN(number) ? undefined : { [unit]: number };
}

export function legText({ price, ticks, offset }: Leg): string {
  if (price !== undefined) return `at ${price}`;
  if (ticks !== undefined) return `${ticks} ticks away`;
  return `${offset ?? 0} points away`;
}

/** One exit's level: by price, in ticks or by a distance. */
export function LegInputs({
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
