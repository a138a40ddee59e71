import { Pair } from "../../parts/page.tsx";
import { Table } from "../../parts/table.tsx";
import type { Ladder, LadderStep } from "./ladder.ts";
import { placeText, resultText, riskText, signed } from "./rungs.ts";

/** What the picture shows, in figures. */
export function LadderFigures({ ladder, currency }: { ladder: Ladder; currency: string }) {
  const { atStop, hasStop, runs, steps, stop, wonInAll } = ladder;
  return (
    <>
      <dl class="pairs">
        <Pair name="At risk">
          {hasStop ? (
            <>
              <strong>{atStop === undefined ? "not known" : riskText(atStop, currency)}</strong>
              <span class="quiet"> at the stop, {placeText(stop)}; without fees and slippage</span>
            </>
          ) : (
            <strong>everything: there is no stop</strong>
          )}
        </Pair>
        {steps.length > 0 && (
          <Pair name="Won in all">
            {wonInAll === undefined ? "not known" : resultText(wonInAll, currency)}
            {runs > 0 && <span class="quiet"> at the targets; {runs} more run until the stop</span>}
          </Pair>
        )}
      </dl>
      {steps.length > 0 && (
        <Table
          name="What leaves at each target, what is held then, and what the trade comes to if the stop is next"
          columns={[
            "Target",
            "At",
            { figure: "Leave" },
            { figure: "Held" },
            { figure: `Won, ${currency}` },
            { figure: "If stopped" },
          ]}
        >
          {steps.map((step) => (
            <Row key={step.target} step={step} />
          ))}
        </Table>
      )}
      <Wrong ladder={ladder} />
    </>
  );
}

function Row({ step: { at, heldAfter, ifStopped, leaves, target, won } }: { step: LadderStep }) {
  return (
    <tr>
      <th scope="row">{target}</th>
      <td>{placeText(at)}</td>
      <td class="number">{leaves}</td>
      <td class="number">{heldAfter}</td>
      <td class="number">{signed(won)}</td>
      <td class="number">{heldAfter === 0 ? "" : signed(ifStopped)}</td>
    </tr>
  );
}

/** What is at a price on the other side of the entry: such an order would be refused, or fill at once. */
function Wrong({ ladder: { steps, stop } }: { ladder: Ladder }) {
  const targets = steps.filter(({ at }) => at !== undefined && at.ticks <= 0);
  const wrong = [
    ...targets.map(({ target }) => `Target ${target}`),
    ...(stop !== undefined && stop.ticks >= 0 ? ["The stop"] : []),
  ];
  if (wrong.length === 0) return null;
  return (
    <p class="notice watch">
      {wrong.join(", ")}: on the wrong side of an entry at this price. An order with it is refused.
    </p>
  );
}
