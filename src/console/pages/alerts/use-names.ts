import { useEffect, useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import type { Account, Webhook } from "./types.ts";

export interface Names {
  readonly accounts: readonly Account[];
  readonly webhooks: readonly Webhook[];
}

const NONE: Names = { accounts: [], webhooks: [] };

/** Accounts and webhooks by name; where they cannot be read, ids stand in their place. */
export function useNames(): Names {
  const [names, setNames] = useState(NONE);
  useEffect(() => {
    Promise.all([readAccounts(), answerOf(api.GET("/v1/webhooks"))]).then(
      ([accounts, { webhooks }]) => setNames({ accounts, webhooks }),
      () => setNames(NONE),
    );
  }, []);
  return names;
}
