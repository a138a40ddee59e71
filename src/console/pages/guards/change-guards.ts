import { signal } from "@preact/signals";
import { useRef } from "preact/hooks";
import { answerOf, api, Refused } from "../../api/client.ts";
import type { Guards, OfAccount } from "./types.ts";
import { bodyOf, type Edit, type Wanted, wantedOf, withinRule } from "./wanted-guards.ts";

interface AskedToLock {
  readonly problems: Refused["details"];
  readonly answer: (isMeant: boolean) => void;
}

/** Whether a change is meant although it locks the account at once; `WouldLock` shows it. */
export const askedToLock = signal<AskedToLock | undefined>();

async function isLockMeant(problems: Refused["details"]): Promise<boolean> {
  const isMeant = await new Promise<boolean>((answer) => {
    askedToLock.value = { problems, answer };
  });
  askedToLock.value = undefined;
  return isMeant;
}

/**
 * Sets guards. What is changed are those that stood as the person began: where others stand by now,
 * nothing is set, and the next time it is those. Where the gateway says that the account would be
 * locked at once, the person is asked first.
 */
export function useGuardsChange({
  account,
  guards,
  refresh,
}: OfAccount): (edit: Edit) => Promise<Guards> {
  const seen = useRef(guards);
  const params = { path: { id: account.id } };
  const put = async (wanted: Wanted, locksNow: boolean) => {
    const body = bodyOf(wanted, seen.current.version, locksNow);
    return await answerOf(api.PUT("/v1/accounts/{id}/guards", { params, body }));
  };
  const set = async (wanted: Wanted) => {
    try {
      return await put(wanted, false);
    } catch (error) {
      if (!isCode(error, "WOULD_LOCK_NOW")) throw error;
      if (await isLockMeant(error.details)) return await put(wanted, true);
      throw new Error("Nothing was changed: it would have locked the account at once", {
        cause: error,
      });
    }
  };
  return async (edit) => {
    try {
      return await set(edit(wantedOf(seen.current)));
    } catch (error) {
      if (!isCode(error, "GUARDS_CHANGED")) throw error;
      seen.current = await answerOf(api.GET("/v1/accounts/{id}/guards", { params }));
      throw new Error(CHANGED, { cause: error });
    } finally {
      // What others have changed meanwhile is shown as well.
      refresh();
    }
  };
}

const CHANGED =
  "Somebody else has changed the guards meanwhile; nothing was changed. They are read anew now: look at them, and save again if yours is still meant";

const isCode = (error: unknown, code: string): error is Refused =>
  error instanceof Refused && error.code === code;

/** What is wrong with one rule of many, at the fields of its form. */
export function problemsOfRule(error: unknown, place: number): unknown {
  if (!(error instanceof Refused) || error.code !== "VALIDATION_FAILED") return error;
  return error.withDetails(withinRule(error.details, place));
}
