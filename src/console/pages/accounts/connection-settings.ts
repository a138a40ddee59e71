import { numberOr } from "../../parts/number-or.ts";
import type { BrokerField, ConnectionDetail } from "./types.ts";

/** What stands in the form, as text by each field's name. */
export type Typed = Readonly<Record<string, string>>;

type Value = string | number | boolean;

/** Nothing is filled in for a new connection: a default holds where a field is left empty. */
export function typedOf(detail: ConnectionDetail | undefined): Typed {
  const settings = Object.entries(detail?.settings ?? {});
  return Object.fromEntries(settings.map(([name, value]) => [name, String(value)]));
}

/** The settings of a new connection: what is empty is left out. */
export function settingsOf(fields: readonly BrokerField[], typed: Typed): Record<string, Value> {
  const settings: Record<string, Value> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? "";
    if (text !== "") settings[field.name] = valueOf(field, text);
  }
  return settings;
}

/** What changes: an emptied field is cleared, a secret that was left empty stays as it is. */
export function changesOf(
  fields: readonly BrokerField[],
  typed: Typed,
  before: Typed,
): Record<string, Value | null> {
  const changes: Record<string, Value | null> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? "";
    if (text === (before[field.name] ?? "")) continue;
    changes[field.name] = text === "" ? null : valueOf(field, text);
  }
  return changes;
}

function valueOf({ type }: BrokerField, text: string): Value {
  if (type === "boolean") return text === "true";
  return type === "number" ? numberOr(text) : text;
}
