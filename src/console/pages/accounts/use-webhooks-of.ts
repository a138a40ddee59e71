import { useEffect, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { Account } from "./types.ts";

/** The names of the webhooks that trade these accounts; undefined while that is not known. */
export function useWebhooksOf(accounts: readonly Account[]): readonly string[] | undefined {
  const [names, setNames] = useState<readonly string[]>();
  useEffect(() => {
    const ids = new Set(accounts.map(({ id }) => id));
    answerOf(api.GET("/v1/webhooks")).then(
      ({ webhooks }) =>
        setNames(webhooks.filter(({ accountId }) => ids.has(accountId)).map(({ name }) => name)),
      () => setNames(undefined),
    );
  }, []);
  return names;
}
