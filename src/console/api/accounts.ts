import { answerOf, api } from "./client.ts";
import type { components } from "./schema.ts";

type Account = components["schemas"]["Account"];

/** Every account, page by page. */
export async function readAccounts(): Promise<readonly Account[]> {
  const all: Account[] = [];
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? {} : { cursor };
    const page = await answerOf(api.GET("/v1/accounts", { params: { query } }));
    all.push(...page.accounts);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return all;
}
