import { MOST_TARGETS } from "../../../domain/exits/exit-plan.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import type { Typing } from "../../parts/form.tsx";
import { LevelField } from "./level-field.tsx";
import { NEW_TARGET, type PlanTyped, type TargetTyped } from "./plan-typed.ts";
import { UNITS } from "./plan-words.ts";

const PARTS = [
  ["rest", "An equal part of the rest"],
  ["share", "Percent of all"],
  ["qty", "Contracts"],
] as const;

/** Where parts of the position are taken out, in the order in which they are reached. */
export function TargetFields({ typed: { targets }, onType, error }: Typing<PlanTyped>) {
  const change = (place: number, part: Partial<TargetTyped>) =>
    onType({ targets: targets.map((one, nth) => (nth === place ? { ...one, ...part } : one)) });
  const remove = (place: number) => onType({ targets: targets.filter((_, nth) => nth !== place) });
  return (
    <fieldset class="rule">
      <legend>Targets, in the order in which they are reached</legend>
      {targets.length === 0 && <p class="quiet">No target: only the stop, or a time, ends it.</p>}
      {targets.map((target, place) => (
        // A target has no name of its own.
        <div key={place} class="target" role="group" aria-label={`Target ${place + 1}`}>
          <LevelField
            label={`Target ${place + 1}`}
            path={`targets.${place}`}
            level={target.at}
            onLevel={(at) => change(place, { at })}
            error={error}
            units={UNITS.target}
            none="None: it runs until the stop"
          />
          <PartFields
            target={target}
            path={`targets.${place}`}
            onChange={(part) => change(place, part)}
            error={error}
          />
          <button type="button" class="small" onClick={() => remove(place)}>
            Remove<span class="unseen"> target {place + 1}</span>
          </button>
        </div>
      ))}
      {targets.length < MOST_TARGETS && (
        <div class="actions">
          <button
            type="button"
            class="small"
            onClick={() => onType({ targets: [...targets, NEW_TARGET] })}
          >
            Add a target
          </button>
        </div>
      )}
    </fieldset>
  );
}

function PartFields({
  target: { part, partText },
  path,
  onChange,
  error,
}: {
  target: TargetTyped;
  path: string;
  onChange: (part: Partial<TargetTyped>) => void;
  error: Error | undefined;
}) {
  return (
    <fieldset class="pair">
      <legend class="unseen">How much leaves</legend>
      <SelectField
        label="Leaves there"
        name={`${path}.part`}
        value={part}
        options={PARTS}
        onValue={(next) => onChange({ part: next })}
      />
      {part !== "rest" && (
        <TextField
          label={part === "share" ? "Percent" : "Contracts"}
          name={`${path}.${part}`}
          type={part === "share" ? "decimal" : "number"}
          value={partText}
          onValue={(next) => onChange({ partText: next })}
          error={error}
          required
        />
      )}
    </fieldset>
  );
}
