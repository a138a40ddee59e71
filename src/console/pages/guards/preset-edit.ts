import type { Edit } from "./wanted-guards.ts";
import type { GivenRule, Guards, Preset } from "./types.ts";

export interface PresetTyped {
  readonly name: string;
  /** Its rules only tell what they would have done, at first. */
  readonly asShadow: boolean;
  /** The rules that stand, and are none of the preset's, go. */
  readonly replacesAll: boolean;
}

/** Takes the rules of a preset: one that has the same id as one of them gives way to it. */
export const withPreset =
  ({ rules, settings }: Preset, { asShadow, replacesAll }: Omit<PresetTyped, "name">): Edit =>
  (wanted) => {
    const added: GivenRule[] = rules.map((rule) => ({
      ...rule,
      ...(asShadow && { mode: "shadow" as const }),
    }));
    const ids = new Set(added.map(({ id }) => id));
    const kept = replacesAll ? [] : wanted.rules.filter(({ id }) => !ids.has(id));
    // What others stand by stays as it is; alone, the preset comes with its own.
    return {
      ...wanted,
      settings: kept.length === 0 ? settings : wanted.settings,
      rules: [...kept, ...added],
    };
  };

/** Amounts of two currencies cannot stand side by side. */
export const isOtherCurrency = ({ rules, settings }: Guards, preset: Preset): boolean =>
  rules.length > 0 && settings.currency !== preset.currency;
