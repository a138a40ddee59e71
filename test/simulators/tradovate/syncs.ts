import type { EntityType } from "./entities.ts";
import type { Body } from "./order-request.ts";
import { isOfRisk } from "./risk-settings.ts";
import type { Settings } from "./settings.ts";
import { SYNCED_TYPES } from "./snapshot.ts";
import type { User } from "./users.ts";

/** The types that a sync brings, and tells of from then on; undefined for all of them. */
export function syncedTypes(
  body: Body,
  settings: Pick<Settings, "syncBrings" | "riskInSync">,
): readonly string[] | undefined {
  const types = askedTypes(body, settings);
  if (settings.riskInSync === "told") return types;
  return (types ?? SYNCED_TYPES).filter((type) => !isOfRisk(type.toLowerCase()));
}

/** Whether a sync names what this login may not see, and all of it is refused for that. */
export function isSyncRefused({ entityTypes }: Body, { riskInSync }: Settings): boolean {
  if (riskInSync !== "refused" || !Array.isArray(entityTypes)) return false;
  return entityTypes.some((type) => isOfRisk(String(type).toLowerCase()));
}

function askedTypes(
  body: Body,
  { syncBrings }: Pick<Settings, "syncBrings">,
): readonly string[] | undefined {
  const { entityTypes, users } = body;
  if (syncBrings === "users") return [];
  if (Array.isArray(entityTypes) && !(syncBrings === "named" && users !== undefined)) {
    return entityTypes.map(String);
  }
  return syncBrings === "named" ? [] : undefined;
}

/** Remembers how far each user had come at the newest sync: what is older is of an earlier session. */
export class Syncs {
  readonly #lastIds = new Map<number, number>();

  begin(user: User, lastId: number): void {
    this.#lastIds.set(user.id, lastId);
  }

  /** Whether the user is not shown it any more. */
  isGone(user: User, type: EntityType, id: number, { forgets }: Settings): boolean {
    return (
      forgets.isGone && forgets.types.includes(type) && id <= (this.#lastIds.get(user.id) ?? 0)
    );
  }
}
