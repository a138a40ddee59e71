import { Field } from "../../parts/field.tsx";
import { FieldGroup, type FieldsProps } from "./field-group.tsx";
import { type IndicatorsTyped, nameOf, PARTS } from "./indicators.ts";
import { CONDITIONS } from "./strategy-typed.ts";
import type { ConditionName } from "./types.ts";

export const CONDITION_WORDS: Readonly<Record<ConditionName, string>> = {
  enterLong: "Enter long when",
  exitLong: "Exit long when",
  enterShort: "Enter short when",
  exitShort: "Exit short when",
};

const EXAMPLES: Readonly<Record<ConditionName, string>> = {
  enterLong: "crossesAbove(fast, slow) && time.hour >= 9",
  exitLong: "crossesBelow(fast, slow)",
  enterShort: "crossesBelow(fast, slow)",
  exitShort: "crossesAbove(fast, slow)",
};

/** What it wants, each by an expression; what is left empty is never true. */
export function ConditionFields({ typed: { conditions, indicators }, onType, error }: FieldsProps) {
  return (
    <FieldGroup legend="Conditions" name="conditions" error={error}>
      <ConditionHelp indicators={indicators} />
      {CONDITIONS.map((name) => (
        <Field key={name} label={CONDITION_WORDS[name]} name={`conditions.${name}`} error={error}>
          {(tied) => (
            <textarea
              {...tied}
              name={`conditions.${name}`}
              rows={2}
              maxLength={500}
              spellcheck={false}
              autocomplete="off"
              placeholder={EXAMPLES[name]}
              value={conditions[name]}
              onInput={({ currentTarget }) =>
                onType({ conditions: { ...conditions, [name]: currentTarget.value } })
              }
            />
          )}
        </Field>
      ))}
    </FieldGroup>
  );
}

/** What a condition may say, in short, with the names that there are. */
function ConditionHelp({ indicators }: { indicators: IndicatorsTyped }) {
  const names = indicators.flatMap((indicator) => {
    const name = nameOf(indicator);
    if (name === "") return [];
    return PARTS[indicator.type]?.map((part) => `${name}.${part}`) ?? [name];
  });
  return (
    <details class="help">
      <summary>What a condition may say</summary>
      <dl class="pairs stacked">
        <dt>Series</dt>
        <dd>
          <Words of={["open", "high", "low", "close", "volume", ...names]} />. <code>close[0]</code>{" "}
          is the newest bar's, <code>close[1]</code> the one before.
        </dd>
        <dt>Position</dt>
        <dd>
          <Words of={["position.side", "position.qty", "position.net", "position.averagePrice"]} />;
          its side is <code>"long"</code>, <code>"short"</code> or <code>"flat"</code>.
        </dd>
        <dt>Time</dt>
        <dd>
          <Words of={["time.hour", "time.minute", "time.weekday"]} /> (1 is Monday),{" "}
          <Words of={["time.day", "time.month", "time.year"]} />: when the newest bar ended.
        </dd>
        <dt>Functions</dt>
        <dd>
          <Words
            of={[
              "crossesAbove(a, b)",
              "crossesBelow(a, b)",
              "highest(high, 20)",
              "lowest(low, 20)",
              "abs(x)",
              "min(x, y)",
              "max(x, y)",
            ]}
          />
        </dd>
        <dt>Signs</dt>
        <dd>
          <Words of={["&&", "||", "!", "<", "<=", ">", ">=", "==", "!=", "+", "-", "*", "/"]} />
        </dd>
        <dt>Example</dt>
        <dd>
          <code>close[0] == highest(close, 20) && position.side == "flat"</code>
        </dd>
      </dl>
    </details>
  );
}

function Words({ of }: { of: readonly string[] }) {
  return (
    <>
      {of.map((word, place) => (
        <>
          {place > 0 && " "}
          <code key={word}>{word}</code>
        </>
      ))}
    </>
  );
}
