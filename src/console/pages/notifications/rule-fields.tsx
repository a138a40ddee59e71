import { EVENTS } from "../../../domain/notify/event.ts";
import { countText } from "../../parts/figure-text.ts";
import { Choice, SelectField } from "../../parts/fields.tsx";
import { problemsIn } from "../../parts/field.tsx";
import type { Account, EventType, Rule } from "./types.ts";

const TELL = [
  ["on", "Tell it"],
  ["silent", "Tell it without a sound"],
  ["off", "Do not tell it"],
] as const;
const SEVERITIES = [
  ["", "Any"],
  ["warning", "Warnings and worse"],
  ["critical", "Critical only"],
] as const;
const ENVIRONMENTS = [
  ["", "Any"],
  ["live", "Live only"],
  ["simulated", "Simulated only"],
  ["demo", "Demo only"],
] as const;

/** Heartbeats alone are told of it. */
const TYPES = (Object.keys(EVENTS) as EventType[]).filter((type) => type !== "gateway.alive");

/** Which events are told, and how: the first rule that fits counts. */
export function RuleFields({
  rules,
  accounts,
  error,
  onRules,
}: {
  rules: readonly Rule[];
  accounts: readonly Account[];
  error: Error | undefined;
  onRules: (rules: readonly Rule[]) => void;
}) {
  const replace = (place: number, rule: Rule) =>
    onRules(rules.map((one, n) => (n === place ? rule : one)));
  const raise = (place: number) => {
    const [before, one] = [rules[place - 1], rules[place]];
    if (before === undefined || one === undefined) return;
    onRules(rules.map((rule, n) => (n === place - 1 ? one : n === place ? before : rule)));
  };
  return (
    <fieldset>
      <legend>Rules</legend>
      <p class="quiet">
        The first rule that fits counts. What none fits: warnings and worse are told, fills, exits,
        kill switches and the end of what was told; the rest is not. A critical event is kept back
        only by a rule that names accounts, or demo, simulated or live.
      </p>
      {rules.map((rule, n) => (
        // A rule has no name of its own.
        <fieldset key={n} class="rule" aria-label={`Rule ${n + 1}`}>
          <OneRule
            rule={rule}
            path={`rules.${n}`}
            accounts={accounts}
            error={error}
            onRule={(next) => replace(n, next)}
          />
          <div class="actions end">
            {n > 0 && (
              <button type="button" class="small" onClick={() => raise(n)}>
                Move up<span class="unseen"> rule {n + 1}</span>
              </button>
            )}
            <button
              type="button"
              class="small danger"
              onClick={() => onRules(rules.filter((_, place) => place !== n))}
            >
              Remove<span class="unseen"> rule {n + 1}</span>
            </button>
          </div>
        </fieldset>
      ))}
      {problemsIn(error)
        .filter(({ path }) => path.startsWith("rules"))
        .map(({ path, message }) => (
          <span key={path} class="wrong">
            {path} {message}
          </span>
        ))}
      <div class="actions">
        <button type="button" class="small" onClick={() => onRules([...rules, { tell: "on" }])}>
          Add a rule
        </button>
      </div>
    </fieldset>
  );
}

function OneRule({
  rule,
  path,
  accounts,
  error,
  onRule,
}: {
  rule: Rule;
  path: string;
  accounts: readonly Account[];
  error: Error | undefined;
  onRule: (rule: Rule) => void;
}) {
  const { types = [], accounts: named = [], severity, environment, tell } = rule;
  const set = (change: Partial<Rule>) => onRule({ ...rule, ...change });
  const without = (part: "severity" | "environment") => {
    const { [part]: _, ...rest } = rule;
    onRule(rest);
  };
  return (
    <>
      <div class="columns">
        <SelectField
          label="What to do"
          name={`${path}.tell`}
          error={error}
          value={tell}
          options={TELL}
          onValue={(value) => set({ tell: value })}
        />
        <SelectField
          label="Severity"
          name={`${path}.severity`}
          error={error}
          value={severity === "info" ? "" : (severity ?? "")}
          options={SEVERITIES}
          onValue={(value) => (value === "" ? without("severity") : set({ severity: value }))}
        />
        <SelectField
          label="Accounts' money"
          name={`${path}.environment`}
          error={error}
          value={environment ?? ""}
          options={ENVIRONMENTS}
          onValue={(value) => (value === "" ? without("environment") : set({ environment: value }))}
        />
      </div>
      <Chosen
        what={["event", "events"]}
        all={TYPES.map((type) => [type, EVENTS[type].title] as const)}
        chosen={types}
        onChosen={(next) => set({ types: next })}
      />
      <Chosen
        what={["account", "accounts"]}
        all={accounts.map(({ id, name, environment: of }) => [id, `${name} (${of})`] as const)}
        chosen={named}
        onChosen={(next) => set({ accounts: next })}
      />
    </>
  );
}

/** Some of a list that is folded away; none is all of them. */
function Chosen<Value extends string>({
  what: [one, many],
  all,
  chosen,
  onChosen,
}: {
  what: readonly [one: string, many: string];
  all: readonly (readonly [value: Value, name: string])[];
  chosen: readonly Value[];
  onChosen: (chosen: Value[]) => void;
}) {
  return (
    <details>
      <summary>{chosen.length === 0 ? `All ${many}` : countText(chosen.length, one, many)}</summary>
      <div class="columns">
        {all.map(([value, name]) => (
          <Choice
            key={value}
            isChosen={chosen.includes(value)}
            onChoose={(isOn) =>
              onChosen(isOn ? [...chosen, value] : chosen.filter((kept) => kept !== value))
            }
          >
            {name}
          </Choice>
        ))}
      </div>
    </details>
  );
}
