import { TextField } from "../../parts/fields.tsx";
import { FoldedFields, type Typing } from "../../parts/form.tsx";
import { LevelField } from "./level-field.tsx";
import type { PlanTyped } from "./plan-typed.ts";
import { UNITS } from "./plan-words.ts";

type Fields = Typing<PlanTyped>;

/** Where the stop stands at first, and what moves it. */
export function StopFields(fields: Fields) {
  const { error, onType, typed } = fields;
  return (
    <fieldset class="rule">
      <legend>Stop</legend>
      <LevelField
        label="Stop"
        path="stop"
        level={typed.stop}
        onLevel={(stop) => onType({ stop })}
        error={error}
        units={UNITS.stop}
        none="None"
        hint="For all that is held. It rests at the broker, and is moved, never taken away before its successor stands."
      />
      <BreakevenFields {...fields} />
      <TrailingFields {...fields} />
    </fieldset>
  );
}

function BreakevenFields({ error, onType, tie, typed }: Fields) {
  const { breakevenAfter } = typed;
  return (
    <>
      <LevelField
        label="Breakeven"
        path="breakeven.after"
        level={breakevenAfter}
        onLevel={(next) => onType({ breakevenAfter: next })}
        error={error}
        units={UNITS.after}
        none="Never: the stop stays"
        target="After a target has filled"
        hint="Then the stop goes to the entry's price."
      />
      {breakevenAfter.unit !== "none" && (
        <TextField
          {...tie("breakevenPlus")}
          name="breakeven.plus"
          label="Beyond the entry by, ticks"
          type="number"
          hint="In the trade's direction, for fees. Empty: at the entry itself."
        />
      )}
    </>
  );
}

function TrailingFields({ error, onType, tie, typed }: Fields) {
  const { trailingDistance, trailingFrom } = typed;
  return (
    <>
      <LevelField
        label="Trailing"
        path="trailing.distance"
        level={trailingDistance}
        onLevel={(next) => onType({ trailingDistance: next })}
        error={error}
        units={UNITS.distance}
        none="It does not trail"
        hint="So far behind the best price that was reached; it never goes back."
      />
      {trailingDistance.unit !== "none" && (
        <>
          <LevelField
            label="Trails from"
            path="trailing.from"
            level={trailingFrom}
            onLevel={(next) => onType({ trailingFrom: next })}
            error={error}
            units={UNITS.from}
            none="The entry on"
          />
          <TextField
            {...tie("trailingStep")}
            name="trailing.step"
            label="In steps of, ticks"
            type="number"
            hint="It is moved by no less. Empty: one tick."
          />
        </>
      )}
    </>
  );
}

/** When whatever is left is closed at the market. */
export function ClosingFields({ error, tie, typed }: Fields) {
  const isSet = typed.closeAfterSeconds !== "" || typed.closeBeforeSessionEndSeconds !== "";
  return (
    <FoldedFields summary="Close it after a time" error={error} isOpen={isSet}>
      <TextField
        {...tie("closeAfterSeconds")}
        label="After the first fill, seconds"
        type="number"
        hint="Whatever is left is closed at the market. Empty: never."
      />
      <TextField
        {...tie("closeBeforeSessionEndSeconds")}
        label="Before the session ends, seconds"
        type="number"
        hint="By the contract's own hours. Empty: it may be held over night."
      />
    </FoldedFields>
  );
}
