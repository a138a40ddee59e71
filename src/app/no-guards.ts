import { errors } from "../errors.ts";
import type { GuardUses } from "../trading/guards/guard-uses.ts";

/** Until the use cases of guards are composed nothing is answered of them, and nothing is set. */
const refuse = async (): Promise<never> => {
  throw errors.internal(new Error("The use cases of guards are not composed"));
};

export const NO_GUARDS: GuardUses = {
  readGuards: refuse,
  changeGuards: refuse,
  lockAccount: refuse,
  unlockAccount: refuse,
  readGuardHistory: refuse,
};
