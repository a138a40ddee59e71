import { useEffect, useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import type { Account, AccountGroup, Webhook } from "./types.ts";

export interface Names {
  readonly accounts: readonly Account[];
  readonly webhooks: readonly Webhook[];
  readonly groups: readonly AccountGroup[];
}

const NONE: Names = { accounts: [], webhooks: [], groups: [] };

/** Accounts, webhooks and account groups by name; where they cannot be read, ids stand in their place. */
export function useNames(): Names {
  const [names, setNames] = useState(NONE);
  useEffect(() => {
    Promise.all([
      readAccounts(),
      answerOf(api.GET("/v1/webhooks")),
      answerOf(api.GET("/v1/account-groups")),
    ]).then(
      ([accounts, { webhooks }, { accountGroups: groups }]) =>
        setNames({ accounts, webhooks, groups }),
      () => setNames(NONE),
    );
  }, []);
  return names;
}
