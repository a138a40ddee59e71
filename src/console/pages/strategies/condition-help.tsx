import { PARTS } from "./indicator-kinds.ts";
import { type IndicatorsTyped, nameOf } from "./indicator-typed.ts";

/** What a condition may say, in short, with the names that there are. */
export function ConditionHelp({ indicators }: { indicators: IndicatorsTyped }) {
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
