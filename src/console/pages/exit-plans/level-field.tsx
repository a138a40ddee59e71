import type { ComponentChildren } from "preact";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { exactly } from "./plan-problems.ts";
import type { AwaitedTyped, LevelUnit } from "./plan-typed.ts";
import { LEVEL_WORDS } from "./plan-words.ts";

interface Props<Level> {
  /** What it is called: "Stop". */
  label: string;
  /** Where the gateway names it in what it refuses. */
  path: string;
  level: Level;
  onLevel: (level: Level) => void;
  error: Error | undefined;
}

type Unit = AwaitedTyped["unit"];

/** A level: in what it is counted, and how much. */
export function LevelField<Level extends AwaitedTyped>({
  label,
  path,
  level,
  onLevel,
  error,
  units,
  none,
  target,
  hint,
}: Props<Level> & {
  units: readonly Exclude<LevelUnit, "none">[];
  /** What it is called to have none; absent where it may not be left out. */
  none?: string;
  /** What it is called to wait for a target, where that is possible. */
  target?: string;
  hint?: ComponentChildren;
}) {
  const { unit, text } = level;
  const options: readonly (readonly [Unit, string])[] = [
    ...(none === undefined ? [] : [["none", none] as const]),
    ...(target === undefined ? [] : [["target", target] as const]),
    ...units.map((one) => [one, LEVEL_WORDS[one][0]] as const),
  ];
  return (
    <fieldset class="pair">
      <legend class="unseen">{label}</legend>
      <SelectField
        label={label}
        name={path}
        value={unit}
        options={options}
        onValue={(next) => onLevel({ ...level, unit: next })}
        error={exactly(error, path)}
        hint={hint}
      />
      {unit !== "none" && (
        <TextField
          label={unit === "target" ? "Target number" : LEVEL_WORDS[unit][1]}
          name={`${path}.${unit}`}
          type={unit === "ticks" || unit === "target" ? "number" : "decimal"}
          value={text}
          onValue={(next) => onLevel({ ...level, text: next })}
          error={error}
          required
        />
      )}
    </fieldset>
  );
}
