import { Confirm } from "../../parts/confirm.tsx";
import { StaysHeld } from "./stays-held.tsx";
import { isTrading } from "./strategy-typed.ts";
import type { StrategyProps } from "./strategy-page.tsx";
import type { ChangeStrategyBody } from "./types.ts";

/** What is switched without any order being sent by it from then on. */
export type Switched = "off" | "on" | "observe" | "tradeWhenOn";

interface Words {
  readonly title: string;
  readonly verb: string;
  readonly means: string;
  readonly body: ChangeStrategyBody;
}

const WORDS: Readonly<Record<Switched, Words>> = {
  off: {
    title: "Switch the strategy off",
    verb: "Switch it off",
    means: "It is no longer evaluated on its schedule, and sends no orders.",
    body: { enabled: false },
  },
  on: {
    title: "Switch the strategy on",
    verb: "Switch it on",
    means: "It is evaluated on its schedule again. It only observes: no orders are sent.",
    body: { enabled: true },
  },
  observe: {
    title: "Let it only observe",
    verb: "Only observe",
    means: "Its decisions are logged, and no more orders are sent.",
    body: { mode: "observe" },
  },
  tradeWhenOn: {
    title: "Let it trade when it is on",
    verb: "Let it trade when it is on",
    means: "It is off, so nothing is sent now. Once you switch it on, it trades.",
    body: { mode: "trade" },
  },
};

/** Switches a strategy after saying what that means. */
export function SwitchStrategy({
  strategy,
  accounts,
  to,
  onChange,
  onClose,
}: StrategyProps & {
  to: Switched;
  onChange: (body: ChangeStrategyBody) => Promise<void>;
  onClose: () => void;
}) {
  const { body, means, title, verb } = WORDS[to];
  return (
    <Confirm title={title} verb={verb} onConfirm={() => onChange(body)} onClose={onClose}>
      <p>{means}</p>
      {isTrading(strategy) && <StaysHeld strategy={strategy} accounts={accounts} />}
    </Confirm>
  );
}
