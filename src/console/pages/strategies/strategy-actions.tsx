import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { go } from "../../shell/router.ts";
import { EvaluateNow } from "./evaluate-now.tsx";
import { AskToTrade, StrategyForm } from "./strategy-form.tsx";
import { changeOf, isTrading, type StrategyTyped, typedStrategy } from "./strategy-typed.ts";
import { ownTimeZone } from "./term-words.ts";
import type { ChangeStrategyBody, Strategy, StrategyProps } from "./types.ts";

type Asked = Switched | "trade" | "edit" | "delete";

/** Actions with a strategy; what may send orders, or end that, is asked about before. */
export function StrategyActions(of: StrategyProps) {
  const { accounts, refresh, strategy } = of;
  const [asked, setAsked] = useState<Asked>();
  const onClose = () => setAsked(undefined);
  const change = async (body: ChangeStrategyBody) => {
    const params = { path: { id: strategy.id } };
    await answerOf(api.PATCH("/v1/strategies/{id}", { params, body }));
    refresh();
  };
  const shared = { ...of, onClose };
  return (
    <>
      <EvaluateNow {...of} />
      <Buttons strategy={strategy} onAsk={setAsked} />
      {asked === "edit" && <EditStrategy {...shared} onChange={change} />}
      {asked === "delete" && <DeleteStrategy {...shared} />}
      {asked === "trade" && (
        <AskToTrade
          terms={strategy}
          hasSchedule={strategy.schedule !== null}
          accounts={accounts}
          verb={strategy.mode === "trade" ? "Switch it on" : "Let it trade"}
          onConfirm={() =>
            change(strategy.mode === "trade" ? { enabled: true } : { mode: "trade" })
          }
          onClose={onClose}
        />
      )}
      {(asked === "off" || asked === "on" || asked === "observe" || asked === "tradeWhenOn") && (
        <SwitchStrategy {...shared} to={asked} onChange={change} />
      )}
    </>
  );
}

function Buttons({ strategy, onAsk }: { strategy: Strategy; onAsk: (asked: Asked) => void }) {
  const { enabled, mode } = strategy;
  const wouldTrade = (change: Partial<Pick<Strategy, "mode" | "enabled">>) =>
    isTrading({ mode, enabled, ...change });
  const on = wouldTrade({ enabled: true }) ? "trade" : "on";
  const trade = wouldTrade({ mode: "trade" }) ? "trade" : "tradeWhenOn";
  return (
    <div class="actions">
      <button type="button" onClick={() => onAsk(enabled ? "off" : on)}>
        {enabled ? "Switch off …" : "Switch on …"}
      </button>
      <button type="button" onClick={() => onAsk(mode === "trade" ? "observe" : trade)}>
        {mode === "trade" ? "Only observe …" : "Let it trade …"}
      </button>
      <button type="button" onClick={() => onAsk("edit")}>
        Edit …
      </button>
      <button type="button" class="danger" onClick={() => onAsk("delete")}>
        Delete …
      </button>
    </div>
  );
}

/** Changes a strategy; what was changed elsewhere meanwhile stays as it is. */
function EditStrategy({
  strategy,
  accounts,
  onChange,
  onClose,
}: StrategyProps & {
  onChange: (body: ChangeStrategyBody) => Promise<void>;
  onClose: () => void;
}) {
  const [before] = useState(strategy);
  const [start] = useState(() => typedStrategy(strategy, ownTimeZone()));
  const save = async (typed: StrategyTyped) => {
    const body = changeOf(typed, before);
    if (Object.keys(body).length > 0) await onChange(body);
    onClose();
  };
  return (
    <StrategyForm
      title={`Edit “${before.name}”`}
      verb="Save"
      accounts={accounts}
      start={start}
      isTradingNow={isTrading(before)}
      onSave={save}
      onClose={onClose}
    />
  );
}

/** What is switched without any order being sent by it from then on. */
type Switched = "off" | "on" | "observe" | "tradeWhenOn";

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
function SwitchStrategy({
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

/** Deletes a strategy with its log, after saying what stays. */
function DeleteStrategy({
  strategy,
  accounts,
  refresh,
  onClose,
}: StrategyProps & { onClose: () => void }) {
  const remove = async () => {
    const params = { path: { id: strategy.id } };
    await answerOf(api.DELETE("/v1/strategies/{id}", { params }));
    refresh();
    go("/strategies", { replace: true });
  };
  return (
    <Confirm title="Delete the strategy" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{strategy.name}</strong> and its log are deleted, and cannot be brought back.
      </p>
      <StaysHeld strategy={strategy} accounts={accounts} />
    </Confirm>
  );
}

/** What is left behind when a strategy trades no more: nobody closes it. */
function StaysHeld({
  strategy: { accountId, symbol },
  accounts,
}: Pick<StrategyProps, "strategy" | "accounts">) {
  return (
    <div class="stack">
      <p>
        <strong>Positions stay.</strong> What is held of {symbol} now is not closed by it, now or
        later; exits that rest at the broker stay there.
      </p>
      <p class="row">
        Look at the account:{" "}
        <a href={`#/accounts?account=${encodeURIComponent(accountId)}`} class="row">
          <AccountOf id={accountId} accounts={accounts} />
        </a>
      </p>
    </div>
  );
}
