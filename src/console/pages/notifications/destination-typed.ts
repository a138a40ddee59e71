import { numberOr } from "../../parts/typed-text.ts";
import { CHANNELS } from "./channels.ts";
import type {
  ChangeDestinationBody,
  CreateDestinationBody,
  Destination,
  Kind,
  Rule,
} from "./types.ts";

/** A destination as it stands in the form: empty is what is left out. */
export interface DestinationTyped {
  readonly kind: Kind;
  readonly name: string;
  /** By field; a secret that is set stays while its field is empty. */
  readonly settings: Readonly<Record<string, string>>;
  readonly rules: readonly Rule[];
  readonly quietFrom: string;
  readonly quietTo: string;
  readonly summaryAt: string;
  readonly zone: string;
  readonly inOrder: boolean;
  readonly answers: boolean;
}

export function typedOf(destination: Destination | undefined, zone: string): DestinationTyped {
  const { quietHours, summary, settings = {} } = destination ?? {};
  const shown = Object.entries(settings).filter(([, value]) => typeof value !== "boolean");
  return {
    kind: destination?.kind ?? "ntfy",
    name: destination?.name ?? "",
    settings: Object.fromEntries(shown.map(([name, value]) => [name, String(value)])),
    rules: destination?.rules ?? [],
    quietFrom: quietHours?.from ?? "",
    quietTo: quietHours?.to ?? "",
    summaryAt: summary?.at ?? "",
    zone: quietHours?.zone ?? summary?.zone ?? zone,
    inOrder: destination?.inOrder ?? false,
    answers: destination?.answers ?? false,
  };
}

/** What is filled in, by field. */
function settingsOf({ kind, settings }: DestinationTyped): Record<string, string | number> {
  const filled = CHANNELS[kind].fields.flatMap(({ name, type }) => {
    const text = (settings[name] ?? "").trim();
    return text === "" ? [] : [[name, type === "number" ? numberOr(text) : text] as const];
  });
  return Object.fromEntries(filled);
}

function termsOf({ rules, inOrder, answers, ...typed }: DestinationTyped) {
  const { quietFrom: from, quietTo: to, summaryAt: at, zone } = typed;
  return {
    name: typed.name.trim(),
    rules: rules.map(withoutEmpty),
    quietHours: from === "" && to === "" ? null : { from, to, zone },
    summary: at === "" ? null : { at, zone },
    inOrder,
    answers,
  };
}

/** Nothing chosen of a rule holds for all. */
function withoutEmpty({ types = [], accounts = [], ...rule }: Rule): Rule {
  return {
    ...rule,
    ...(types.length > 0 && { types }),
    ...(accounts.length > 0 && { accounts }),
  };
}

export function creationOf(typed: DestinationTyped): CreateDestinationBody {
  const { kind } = typed;
  const { quietHours, summary, inOrder, answers, ...terms } = termsOf(typed);
  return {
    kind,
    settings: settingsOf(typed),
    ...terms,
    ...(quietHours !== null && { quietHours }),
    ...(summary !== null && { summary }),
    ...(inOrder && { inOrder }),
    ...(answers && kind === "telegram" && { answers }),
    // The gateway says what is missing of its kind.
  } as CreateDestinationBody;
}

/** What differs from what is stored; empty when nothing does. */
export function changeOf(typed: DestinationTyped, stored: Destination): ChangeDestinationBody {
  const before = typedOf(stored, typed.zone);
  const [was, is] = [termsOf(before), termsOf(typed)];
  const changed = Object.entries(is).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(was[name as keyof typeof was]),
  );
  const settings = settingsChange(typed, before);
  return {
    ...(Object.fromEntries(changed) as ChangeDestinationBody),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
}

function settingsChange(typed: DestinationTyped, before: DestinationTyped) {
  const [was, is] = [settingsOf(before), settingsOf(typed)];
  const changed = Object.entries(is).filter(([name, value]) => was[name] !== value);
  const emptied = Object.keys(was).filter((name) => !(name in is));
  return {
    ...Object.fromEntries(changed),
    ...Object.fromEntries(emptied.map((name) => [name, null])),
  };
}
