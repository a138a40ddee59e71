import { GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Caller } from "../people/caller.ts";
import type { Reply } from "./ports.ts";
import { masked } from "./words.ts";

export interface InWordsDeps {
  readonly accounts: Pick<AccountDirectory, "of">;
  readonly observer: { readonly failed: (error: unknown) => void };
}

export const NOT_DONE = "That did not work. Nothing was done";

/** Without account numbers, and in words also where it fails. */
export async function inWords(
  { accounts, observer }: InWordsDeps,
  caller: Caller,
  answer: () => Promise<Reply>,
  failure = () => NOT_DONE,
): Promise<Reply> {
  const reply = await answer().catch((error: unknown): Reply => {
    observer.failed(error);
    const why = error instanceof GatewayError ? error.message : "The gateway failed";
    return { title: failure(), lines: [why] };
  });
  return masked(reply, accounts.of(caller.userId));
}
