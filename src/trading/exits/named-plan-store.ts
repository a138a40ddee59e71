import type { NamedExitPlan } from "../../domain/exits/named-plan.ts";
import type { UserId } from "../../domain/ids.ts";

/** The exit plans that users keep. Throws `StoreError`. */
export interface NamedPlanStore {
  readonly all: (user: UserId) => Promise<readonly NamedExitPlan[]>;
  readonly find: (user: UserId, name: string) => Promise<NamedExitPlan | undefined>;
  /**
   * Nothing is written where one of the name is there and `onlyNew` is asked, nor where the user has as
   * many others as there may be.
   */
  readonly save: (
    user: UserId,
    plan: NamedExitPlan,
    bounds: { readonly most: number; readonly onlyNew: boolean },
  ) => Promise<"saved" | "exists" | "full">;
  /** False where there is none of the name. */
  readonly remove: (user: UserId, name: string) => Promise<boolean>;
}
