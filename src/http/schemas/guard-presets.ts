import { Type } from "@sinclair/typebox";
import { GuardRules, GuardSettingsReply } from "./guards.ts";
import { choice } from "./parts.ts";

export const GuardPresetName = Type.String({
  description: "As listed by GET /v1/guard-presets",
  examples: ["topstep-combine-50k"],
});

const PRESET = {
  name: GuardPresetName,
  title: Type.String(),
  firm: Type.String(),
  accountSize: Type.Number(),
  currency: Type.String({ examples: ["USD"] }),
  asOf: Type.String({ description: "The month that it describes", examples: ["2026-11"] }),
  caution: Type.String({ description: "To be shown wherever the preset is" }),
};

export const GuardPresetsReply = Type.Object(
  { presets: Type.Array(Type.Object(PRESET, { title: "GuardPresetSummary" })) },
  { title: "GuardPresets" },
);

export const GuardPresetReply = Type.Object(
  {
    ...PRESET,
    sources: Type.Array(
      Type.Object(
        {
          grade: choice(["official", "thirdParty", "inferred"], {
            description: "official: of the firm itself",
          }),
          what: Type.String({ description: "What it says, and where" }),
        },
        { title: "PresetSource" },
      ),
    ),
    conflicts: Type.Array(Type.String(), { description: "Where sources contradict each other" }),
    notices: Type.Array(Type.String(), {
      description: "What the firm asks for, or forbids, that no guard can see to",
    }),
    settings: GuardSettingsReply,
    rules: GuardRules,
  },
  { title: "GuardPreset" },
);
