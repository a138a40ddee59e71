import { expect, test } from "vitest";
import { everyPage } from "../../../../src/console/api/every-page.ts";

test("a list is read to its last page, each page once", async () => {
  const pages = [["a1", "a2"], [], ["a3"]];
  const asked: (string | undefined)[] = [];
  const all = await everyPage(async (cursor) => {
    asked.push(cursor);
    const page = Number(cursor ?? "0");
    return { items: pages[page] ?? [], ...(page < 2 && { nextCursor: `${page + 1}` }) };
  });
  expect(all).toEqual(["a1", "a2", "a3"]);
  expect(asked).toEqual([undefined, "1", "2"]);
});
