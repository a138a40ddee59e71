import type { AccountId } from "../../domain/ids.ts";

interface OfAccount {
  readonly accountId: AccountId;
}

/** Tells the states apart that guards bring an account into. */
export interface GuardStateIds {
  /** Figures of an account with guards are missing or old while it holds something. */
  readonly guardBlind: OfAccount;
  /** A guard closes the account, and it is not flat and empty after 10 s. */
  readonly guardNotFlat: OfAccount;
  /** A guard, or a person, lets nothing in. */
  readonly accountLocked: OfAccount;
  /** No process has been able to judge the account's guards for longer than 10 s: no entry passes. */
  readonly guardsUnjudged: OfAccount;
  /** The news that a guard waits for end in the past, or cannot be read. */
  readonly calendarExpired: OfAccount & { readonly calendar: string };
}

interface Reasoned {
  readonly reason: string;
}

/** What else is known of each. */
export interface GuardStateFacts {
  readonly guardBlind: Reasoned;
  readonly guardNotFlat: Reasoned;
  /** `until` in Unix ms; absent: until a person ends it. */
  readonly accountLocked: Reasoned & { readonly until?: number };
  readonly guardsUnjudged: Reasoned;
  readonly calendarExpired: Reasoned;
}

export type GuardStateKind = keyof GuardStateIds;

export type GuardAlarm = {
  [Kind in GuardStateKind]: { readonly kind: Kind } & GuardStateIds[Kind] & GuardStateFacts[Kind];
}[GuardStateKind];

const KINDS: Readonly<Record<GuardStateKind, true>> = {
  guardBlind: true,
  guardNotFlat: true,
  accountLocked: true,
  guardsUnjudged: true,
  calendarExpired: true,
};

/** Those of guards among the states that stand. */
export const guardAlarmsIn = <State extends { readonly kind: string }>(
  standing: Iterable<State>,
): readonly Extract<State, { readonly kind: GuardStateKind }>[] =>
  [...standing].filter((state): state is Extract<State, { readonly kind: GuardStateKind }> =>
    Object.hasOwn(KINDS, state.kind),
  );
