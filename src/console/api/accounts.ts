import { answerOf, api } from "./client.ts";
import { everyPage } from "./every-page.ts";

/** Every account of whoever is signed in. */
export const readAccounts = async () =>
  await everyPage(async (cursor) => {
    const query = cursor === undefined ? {} : { cursor };
    const { accounts: items, ...rest } = await answerOf(
      api.GET("/v1/accounts", { params: { query } }),
    );
    return { items, ...rest };
  });
