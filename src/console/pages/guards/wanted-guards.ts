import type { components } from "../../api/schema.ts";
import type { GivenRule, Guards, PutGuards, Settings } from "./types.ts";

/** What is to hold, as it is sent. */
export interface Wanted {
  readonly settings: Settings;
  readonly rules: readonly GivenRule[];
  readonly balance?: string;
}

/**
 * What was last asked for: where something was loosened that counts later, that. Whatever is changed
 * is changed of it, else the next change would take the former one back.
 */
export const wantedOf = ({ next, rules, settings }: Guards): Wanted =>
  next === null
    ? { settings, rules: rules.map(({ rule }) => rule) }
    : { settings: next.settings, rules: next.rules };

/** Changes what is wanted; asked once more where other guards stand by then. */
export type Edit = (wanted: Wanted) => Wanted;

/** In place of the rule of that id, or after the others where there is none. */
export const withRule =
  (rule: GivenRule, id: string): Edit =>
  (wanted) => {
    const { rules } = wanted;
    const stands = rules.some((one) => one.id === id);
    return {
      ...wanted,
      rules: stands ? rules.map((one) => (one.id === id ? rule : one)) : [...rules, rule],
    };
  };

export const withoutRule =
  (id: string): Edit =>
  (wanted) => ({ ...wanted, rules: wanted.rules.filter((rule) => rule.id !== id) });

/** What is sent, made of the version that the person has seen. */
export function bodyOf({ balance, rules, settings }: Wanted, version: string, locksNow: boolean) {
  const body: PutGuards = {
    ...settings,
    rules: [...rules],
    ...(balance !== undefined && balance !== "" && { balance }),
    version,
    ...(locksNow && { locksNow }),
  };
  return body;
}

type Problem = components["schemas"]["Problem"];

/** Problems with one rule of many, each by the field of its form; of the others by their whole path. */
export function withinRule(problems: readonly Problem[], place: number): Problem[] {
  const prefix = `rules.${place}.`;
  return problems.map(({ path, message }) => ({
    path: path.startsWith(prefix) ? path.slice(prefix.length) : path,
    message,
  }));
}
