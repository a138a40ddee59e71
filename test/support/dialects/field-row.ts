import type { AlertProfile } from "../../../src/domain/declared/webhook-options.ts";

/** A field that a service documents, and what it is here. */
export interface FieldRow {
  /** As the service writes it; with its path, where it stands inside another one. */
  readonly name: string;
  readonly as: string;
  /** What is added to a plain entry to show it at work; absent where it asks for nothing. */
  readonly shown?: Readonly<Record<string, unknown>>;
  /** It may protect an order, or limit it: with these an order must never go as if they were not there. */
  readonly protects?: true;
}

/** What a service documents. */
export interface Dialect {
  readonly title: string;
  /** Where its words come from. */
  readonly source: string;
  /** None: the comma form, which every profile reads. */
  readonly profile?: AlertProfile;
  /** A plain entry at the market. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly read: readonly FieldRow[];
  /** By name, with the reason; the same reason stands in one row. */
  readonly refused: Readonly<Record<string, string>>;
}
