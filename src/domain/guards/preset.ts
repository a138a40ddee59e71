import type { Minor } from "../money.ts";
import type { GuardSettings } from "./rule.ts";

/** What a firm was known to ask of an account, to begin one's own rules with. */
export interface GuardPreset {
  /** Of small letters, digits and -. */
  readonly name: string;
  readonly title: string;
  readonly firm: string;
  /** In the settings' currency. */
  readonly accountSize: Minor;
  /** The month that it describes, YYYY-MM. Firms change their rules without telling us. */
  readonly asOf: string;
  readonly sources: readonly PresetSource[];
  /** Where sources contradict each other, and which was taken. */
  readonly conflicts: readonly string[];
  /** What the firm asks for, or forbids, that no guard can see to. */
  readonly notices: readonly string[];
  readonly settings: GuardSettings;
}

export interface PresetSource {
  /** `official`: of the firm itself. `inferred`: follows from what others say. */
  readonly grade: "official" | "thirdParty" | "inferred";
  readonly what: string;
}
