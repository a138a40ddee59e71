import type { KillSwitch } from "../../domain/limits.ts";

export function decodeKillSwitch(hash: Readonly<Record<string, string>>): KillSwitch {
  const { active, reason = "", changedAt } = hash;
  return {
    active: active === "1",
    ...(reason !== "" && { reason }),
    ...(changedAt !== undefined && { changedAt: Number(changedAt) }),
  };
}
