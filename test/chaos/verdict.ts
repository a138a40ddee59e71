/** Something that must never be. */
export interface Violation {
  readonly account: string;
  readonly intentIds: readonly string[];
  /** Around when, Unix ms, where no call or order tells. */
  readonly at?: number;
  readonly what: string;
}

export interface Verdict {
  readonly name: string;
  /** How many things were looked at. */
  readonly checked: number;
  readonly violations: readonly Violation[];
}

/** What one check found. */
export type Finding = Omit<Verdict, "name">;
