/** Who is shown what accounts are held to, and whether the broker acts on it. */
export interface RiskSettings {
  /** Whether a login may read it: without the permission, its reads are answered 401. */
  readonly riskReads: "open" | "refused";
  /**
   * What a sync makes of it. `told`: its lists, and what changes from then on. `leftOut`: neither, as
   * if it had not been named. `refused`: a sync that names it is answered 401, whatever else it names.
   */
  readonly riskInSync: "told" | "leftOut" | "refused";
  /** Whether orders are refused and positions liquidated by it, or it is only told. */
  readonly riskActs: boolean;
}

export const RISK_DEFAULTS: RiskSettings = {
  riskReads: "open",
  riskInSync: "told",
  riskActs: true,
};

/** What needs the permission. */
export const RISK_ENTITIES = ["userAccountAutoLiq", "accountRiskStatus"] as const;

const GUARDED: ReadonlySet<string> = new Set(RISK_ENTITIES.map((type) => type.toLowerCase()));

/** Whether an endpoint, or a type, in lower case, is of what needs the permission. */
export const isOfRisk = (name: string): boolean => GUARDED.has(name.split("/")[0] ?? "");
