import { existsSync, statSync } from "node:fs";
import path from "node:path";
import { Marked, type Token, type Tokens } from "marked";
import { describe, expect, test } from "vitest";
import { AlertBody } from "../../src/http/schemas/alert.ts";
import { signWebhook } from "../../src/notify/sign-webhook.ts";
import { STORE_FORMAT } from "../../src/store/trust/store-identity.ts";
import { decisions, SUBJECTS } from "../support/decisions.ts";
import { documents, foldersIn, ROOT, sourceFiles, textOf } from "../support/source-tree.ts";

const pages = documents();

const tokensOf = (page: string): Token[] => {
  const found: Token[] = [];
  const markdown = new Marked({ walkTokens: (token) => void found.push(token) });
  void markdown.parse(textOf(page) ?? "");
  return found;
};

/** As GitHub makes an anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");

const anchorsIn = (page: string): string[] =>
  tokensOf(page)
    .filter((token): token is Tokens.Heading => token.type === "heading")
    .map(({ text }) => anchorOf(text));

const linksIn = (page: string): string[] =>
  tokensOf(page)
    .filter((token): token is Tokens.Link => token.type === "link" || token.type === "image")
    .map(({ href }) => href)
    .filter((href) => !/^[a-z]+:/.test(href));

describe("documents", () => {
  test("there are some", () => {
    expect(pages).toContain("README.md");
    expect(pages).toContain("docs/alerts.md");
  });

  test.each(pages)("%s: its links lead somewhere", (page) => {
    const broken = linksIn(page).filter((href) => {
      const [file = "", anchor] = href.split("#");
      const target = file === "" ? page : path.posix.join(path.posix.dirname(page), file);
      if (!existsSync(path.join(ROOT, target))) return true;
      return anchor !== undefined && !anchorsIn(target).includes(anchor);
    });
    expect(broken).toEqual([]);
  });

  test("README.md is short enough to be read", () => {
    expect((textOf("README.md") ?? "").split("\n").length).toBeLessThanOrEqual(151);
  });

  test("the picture of the console is small enough to load", () => {
    expect(statSync(path.join(ROOT, "docs/console-overview.png")).size).toBeLessThan(250_000);
  });

  test("each page of docs/ is named in README.md", () => {
    const named = linksIn("README.md");
    const unnamed = pages.filter((page) => /^docs\/[^/]+$/.test(page) && !named.includes(page));
    expect(unnamed).toEqual([]);
  });

  test("CHANGELOG.md names the version of the stored data", () => {
    const [newest] =
      /^Stored data: version (\d+)\.$/m.exec(textOf("CHANGELOG.md") ?? "")?.slice(1) ?? [];
    expect(Number(newest), "say there what an update does to stored data").toBe(STORE_FORMAT);
  });
});

describe("the map of the code", () => {
  /** Pages that name files as they lie now; a decision may name what is gone. */
  const mapped = pages.filter((page) => !page.startsWith("docs/decisions/"));
  const PATH = /^(?!dist\/|\/)[\w.-]+(\/[\w.-]+)*(\/|\/[\w.-]+\.(ts|tsx|cjs|sh|yml|yaml|env))$/;

  const pathsIn = (page: string): string[] =>
    tokensOf(page)
      .filter((token): token is Tokens.Codespan => token.type === "codespan")
      .map(({ text }) => text)
      .filter((text) => PATH.test(text));

  test.each(mapped)("%s: the files and folders that it names are there", (page) => {
    const places = [".", "src", path.posix.dirname(page)];
    const isThere = (name: string) =>
      places.some((place) => existsSync(path.join(ROOT, place, name)));
    expect(pathsIn(page).filter((name) => !isThere(name))).toEqual([]);
  });

  test("src/README.md has every room", () => {
    const named = new Set(pathsIn("src/README.md"));
    expect(foldersIn("src").filter((room) => !named.has(`${room}/`))).toEqual([]);
  });

  test("src/README.md holds no decisions: they are in docs/decisions/", () => {
    expect(textOf("src/README.md")).not.toMatch(/^\*\*20\d\d-\d\d-\d\d/m);
  });

  test("src/README.md says nothing twice: a merge of two versions would", () => {
    const lines = (textOf("src/README.md") ?? "")
      .split("\n")
      .map((line) => line.replaceAll(/ +/g, " "));
    const said = lines.filter((line) => line.length > 40 && !/^\| (-|File )/.test(line));
    expect(said.filter((line, n) => said.indexOf(line) !== n)).toEqual([]);
  });

  test("its glossary stays short", () => {
    const [glossary = ""] = (textOf("src/README.md") ?? "").split("## The map");
    const rows = glossary.split("\n").filter((line) => line.startsWith("| "));
    expect(rows.length).toBeLessThanOrEqual(30);
  });
});

describe("docs/alerts.md", () => {
  test("has every field of native alerts", () => {
    const page = textOf("docs/alerts.md") ?? "";
    const fields = Object.keys(AlertBody.anyOf[0].properties);
    expect(fields.filter((field) => !page.includes(`\`${field}\``))).toEqual([]);
  });
});

describe("docs/notifications.md", () => {
  test("its example knows a post of the gateway's", async () => {
    const [code = ""] =
      /(?<=^```js\n)[^]*?(?=^```)/m.exec(textOf("docs/notifications.md") ?? "") ?? [];
    const from = `data:text/javascript,${encodeURIComponent(`${code}export { isGenuine };`)}`;
    const { isGenuine } = (await import(from)) as {
      isGenuine: (headers: object, body: string, secret: string) => boolean;
    };
    const [secret, former] = ["a", "b"].map((letter) => `whsec_${btoa(letter.repeat(32))}`);
    const timestamp = Math.floor(Date.now() / 1_000);
    const isTaken = (at: number, body: string, key = secret ?? "") => {
      const signed = { id: "ev_1", timestamp: at, body: "{}" };
      const headers = {
        "webhook-id": "ev_1",
        "webhook-timestamp": String(at),
        "webhook-signature": signWebhook(signed, [secret ?? "", former ?? ""]),
      };
      return isGenuine(headers, body, key);
    };
    expect([isTaken(timestamp, "{}"), isTaken(timestamp, "{}", former)]).toEqual([true, true]);
    expect(isTaken(timestamp, "{ }")).toBe(false);
    expect(isTaken(timestamp, "{}", `whsec_${btoa("c".repeat(32))}`)).toBe(false);
    expect(isTaken(timestamp - 600, "{}")).toBe(false);
  });
});

describe("the specification, line by line", () => {
  const files = sourceFiles("test").filter((file) => file.endsWith(".test.ts"));
  const [, table = ""] = (textOf("src/README.md") ?? "").split(
    "## The specification, line by line",
  );
  const rows = [...table.matchAll(/\| `([\w/-]+)` +\| (".+") +\|$/gm)];

  test("there are some", () => {
    expect(rows.length).toBeGreaterThan(50);
  });

  test.each(rows.map(([, file = "", names = ""]) => [file, names] as const))(
    "%s has the test %s",
    (name, names) => {
      const isIt = (file: string) =>
        /\/(\w[\w/-]*?)(\.long)?\.test\.ts$/.exec(file)?.[1]?.endsWith(name);
      const texts = files.filter(isIt).map((file) => textOf(file) ?? "");
      const parts = [...names.matchAll(/"([^"]+)"/g)].map(([, part = ""]) => part);
      const hasAll = (text: string) => parts.every((part) => text.includes(part));
      expect(texts.some(hasAll)).toBe(true);
    },
  );
});

describe("decisions", () => {
  const all = decisions();

  test("there are some", () => {
    expect(all.length).toBeGreaterThan(100);
  });

  test("are named by date and title, and say what they are about", () => {
    const odd = all.filter(
      ({ file, title, subject }) =>
        !/^\d{4}-\d\d-\d\d-[a-z0-9-]+\.md$/.test(file) || title === "" || !(subject in SUBJECTS),
    );
    expect(odd).toEqual([]);
  });

  test("are short", () => {
    expect(all.filter(({ lines }) => lines > 40)).toEqual([]);
  });

  test("are superseded by one of the same day or later", () => {
    const date = new Map(all.map((decision) => [decision.file, decision.date]));
    const odd = all.filter(
      ({ supersededBy, date: own }) =>
        supersededBy !== undefined && !((date.get(supersededBy) ?? "") >= own),
    );
    expect(odd).toEqual([]);
  });
});
