import { Field, problemsIn } from "../../parts/field.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { FieldGroup, type FieldsProps } from "./field-group.tsx";
import {
  asType,
  type IndicatorTyped,
  KINDS,
  nameOf,
  nameProblems,
  PARAMETER_WORDS,
  parametersOf,
  SOURCES,
  TYPES,
  withNew,
} from "./indicators.ts";
import { problemAt } from "./strategy-typed.ts";

const MOST = 12;

/** The indicators, a row each, by the names that conditions know them by. */
export function IndicatorFields({
  typed: { indicators },
  onType,
  error,
  isSent,
}: FieldsProps & {
  /** Whether the person tried to send the form: before, an empty name is just not typed yet. */
  isSent: boolean;
}) {
  const problems = nameProblems(indicators);
  const change = (next: IndicatorTyped) =>
    onType({ indicators: indicators.map((one) => (one.row === next.row ? next : one)) });
  const remove = ({ row }: IndicatorTyped) =>
    onType({ indicators: indicators.filter((one) => one.row !== row) });
  return (
    <FieldGroup legend="Indicators" name="indicators" error={error}>
      {indicators.length === 0 && (
        <p class="quiet">None. Conditions can still look at prices, the position and the time.</p>
      )}
      {indicators.map((indicator) => (
        <IndicatorRow
          key={indicator.row}
          indicator={indicator}
          problem={isSent ? problems.get(indicator.row) : undefined}
          onChange={change}
          onRemove={remove}
          error={error}
        />
      ))}
      {indicators.length < MOST && (
        <div class="actions">
          <button
            type="button"
            class="small"
            onClick={() => onType({ indicators: withNew(indicators) })}
          >
            Add an indicator
          </button>
        </div>
      )}
    </FieldGroup>
  );
}

interface RowProps {
  indicator: IndicatorTyped;
  /** What is wrong with its name, before anything is sent. */
  problem: string | undefined;
  onChange: (indicator: IndicatorTyped) => void;
  onRemove: (indicator: IndicatorTyped) => void;
  error: Error | undefined;
}

function IndicatorRow({ indicator, problem, onChange, onRemove, error }: RowProps) {
  const { name, parameters, source, type } = indicator;
  const place = `indicators.${nameOf(indicator)}`;
  const called = nameOf(indicator) || "without a name";
  return (
    <div class="indicator" role="group" aria-label={`Indicator ${called}`}>
      <NameField
        name={name}
        place={place}
        problem={problem ?? problemAt(problemsIn(error), place)}
        onName={(next) => onChange({ ...indicator, name: next })}
      />
      <SelectField
        label="Type"
        name={`${place}.type`}
        value={type}
        options={TYPES.map((one) => [one, KINDS[one].label] as const)}
        onValue={(next) => onChange(asType(indicator, next))}
        error={error}
      />
      {parametersOf(type).map((parameter) => (
        <TextField
          key={parameter}
          label={PARAMETER_WORDS[parameter]}
          name={`${place}.${parameter}`}
          type={parameter === "deviations" ? "decimal" : "number"}
          value={parameters[parameter] ?? ""}
          onValue={(value) =>
            onChange({ ...indicator, parameters: { ...parameters, [parameter]: value } })
          }
          required
          error={error}
        />
      ))}
      {KINDS[type].hasSource && (
        <SelectField
          label="Price"
          name={`${place}.source`}
          value={source}
          options={SOURCES}
          onValue={(next) => onChange({ ...indicator, source: next })}
          error={error}
        />
      )}
      <button type="button" class="small" onClick={() => onRemove(indicator)}>
        Remove<span class="unseen"> indicator {called}</span>
      </button>
    </div>
  );
}

/** What is wrong with a parameter is told at the parameter, though its path begins with the name. */
function NameField({
  name,
  place,
  problem,
  onName,
}: {
  name: string;
  place: string;
  problem: string | undefined;
  onName: (name: string) => void;
}) {
  return (
    <Field label="Name" name={place} problem={problem}>
      {(tied) => (
        <input
          {...tied}
          type="text"
          autocomplete="off"
          spellcheck={false}
          maxLength={32}
          placeholder="fast"
          value={name}
          onInput={({ currentTarget }) => onName(currentTarget.value)}
        />
      )}
    </Field>
  );
}
