import { expect, test, vi } from "vitest";
import { readAccounts } from "../../../../src/console/api/accounts.ts";

interface Asked {
  readonly params: { readonly query: { readonly cursor?: string } };
}

const PAGES = [["a1", "a2"], ["a3"], ["a4"]];

vi.mock("../../../../src/console/api/client.ts", () => ({
  answerOf: async (answer: unknown) => answer,
  api: {
    GET: async (_path: string, { params }: Asked) => {
      const page = Number(params.query.cursor ?? "0");
      const accounts = PAGES[page]?.map((id) => ({ id }));
      return { accounts, ...(page < 2 && { nextCursor: `${page + 1}` }) };
    },
  },
}));

test("the console reads accounts to the last page", async () => {
  expect((await readAccounts()).map(({ id }) => id)).toEqual(["a1", "a2", "a3", "a4"]);
});
