import type { GuardPreset } from "../../domain/guards/preset.ts";
import { errors } from "../../errors.ts";
import { presentPreset, presentPresetName } from "../present/guards.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { GUARD_PRESET, GUARD_PRESETS } from "../schemas/guard-examples.ts";
import { GuardPresetName, GuardPresetReply, GuardPresetsReply } from "../schemas/guard-presets.ts";

export interface GuardPresetRouteDeps {
  readonly guardPresets: readonly GuardPreset[];
}

/** What firms were known to ask for, to begin one's own rules with. */
export function guardPresetRoutes(deps: GuardPresetRouteDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/guard-presets",
      id: "listGuardPresets",
      tag: "Guards",
      summary: "List the rules of firms that guards can begin with",
      description:
        "Each is dated, and may be out of date: check with the firm before you rely on one.",
      effect: "read",
      scope: "read",
      replies: [
        {
          status: 200,
          description: "Every preset by name",
          schema: GuardPresetsReply,
          example: GUARD_PRESETS,
        },
      ],
      errors: [],
      handle: async () => ({
        status: 200,
        body: { presets: deps.guardPresets.map(presentPresetName) },
      }),
    }),
    apiRoute({
      method: "GET",
      path: "/v1/guard-presets/{name}",
      id: "readGuardPreset",
      tag: "Guards",
      summary: "Read the rules of a firm, where they are from, and what no guard sees to",
      description:
        "PUT /v1/accounts/{id}/guards takes its rules as they are. It is dated, and may be out of date: check with the firm before you rely on it.",
      params: { name: GuardPresetName },
      effect: "read",
      scope: "read",
      replies: [
        { status: 200, description: "The preset", schema: GuardPresetReply, example: GUARD_PRESET },
      ],
      errors: ["NOT_FOUND"],
      async handle({ params }) {
        const preset = deps.guardPresets.find(({ name }) => name === params["name"]);
        if (preset === undefined) throw errors.notFound("guard preset");
        return { status: 200, body: presentPreset(preset) };
      },
    }),
  ];
}
