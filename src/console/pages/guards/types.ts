import type { components } from "../../api/schema.ts";

type Schemas = components["schemas"];

export type Account = Schemas["Account"];
export type Guards = Schemas["Guards"];
export type GuardState = Schemas["GuardState"];
export type Rule = Schemas["GuardRule"];
export type GivenRule = Schemas["GivenGuardRule"];
export type Verdict = Schemas["GuardVerdict"];
export type Settings = Schemas["GuardSettings"];
export type Lock = NonNullable<Guards["lock"]>;
export type Restriction = Schemas["GuardRestriction"];
export type BrokerRule = Schemas["BrokerRule"];
export type Decision = Schemas["GuardDecision"];
export type Preset = Schemas["GuardPreset"];
export type PutGuards = Schemas["PutGuards"];

export type RuleKind = Rule["kind"];
/** Some kinds share their terms. */
export type RuleOf<Kind extends RuleKind, Every = Rule> = Every extends { readonly kind: RuleKind }
  ? Kind extends Every["kind"]
    ? Every
    : never
  : never;
export type Weekday = Schemas["GuardWindow"]["days"][number];

/** An account whose guards are shown, and how to read them again. */
export interface OfAccount {
  readonly account: Account;
  readonly guards: Guards;
  readonly refresh: () => void;
}
