import { describe, expect, test } from "vitest";
import { exampleEnvironment } from "../../config/describe.ts";
import { ERRORS } from "../../src/errors.ts";
import { CHART, drawBenchmark } from "../bench/published-run.ts";
import { GENERATED_PARTS, replacePart } from "../support/generated-part.ts";
import { findInCode, foldersIn, sourceFiles, textOf } from "../support/source-tree.ts";

const PRODUCT = sourceFiles("src", "queues", "config");
const TESTS = sourceFiles("test");

describe("what is generated equals what is committed", () => {
  test("config/example.env", () => {
    expect(textOf("config/example.env"), "run npm run docs").toBe(exampleEnvironment());
  });

  test.each(GENERATED_PARTS)("$name in $page", (part) => {
    const page = textOf(part.page) ?? "";
    expect(page, "run npm run docs").toBe(replacePart(page, part));
  });

  test("the chart of the published benchmark", () => {
    expect(textOf(CHART), "run npm run docs").toBe(drawBenchmark());
  });
});

describe("errors", () => {
  const rows = (textOf("src/README.md") ?? "").split("\n").filter((line) => line.startsWith("| `"));

  test.each(Object.entries(ERRORS))("%s has its row in src/README.md", (code, { status }) => {
    const row = rows.find((line) => line.includes(`\`${code}\``));
    expect(row).toContain(` ${status}`);
  });

  test("no row names a code that there is not", () => {
    const table = (textOf("src/README.md") ?? "").split("## Error codes")[1]?.split("\n## ")[0];
    const named = [...(table ?? "").matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, code = ""]) => code);
    expect(named.filter((code) => !(code in ERRORS))).toEqual([]);
  });
});

describe("the domain and the use cases", () => {
  const PURE = sourceFiles("src/domain", "src/trading");

  test("there are some", () => {
    expect(PURE.length).toBeGreaterThan(0);
  });

  test.each([
    ["clock", /\bDate\.now\b|\bnew Date\(\s*\)|\bDate\(\s*\)|\bperformance\.|\bhrtime\b/],
    ["randomness", /\bMath\.random\b|\brandom(UUID|Bytes|Int|FillSync)\b|\bgetRandomValues\b/],
    ["timer", /\bset(Timeout|Interval|Immediate)\b|\btimers(\/promises)?"/],
  ])("have no %s of their own", (_, pattern) => {
    expect(findInCode(PURE, pattern)).toEqual([]);
  });
});

describe("files", () => {
  // A test file may list more cases than a source file may hold ideas.
  test.each([
    ["source", PRODUCT, 400],
    ["test", TESTS, 600],
  ])("of %s code are short", (_, files, limit) => {
    const lines = (file: string) => (textOf(file) ?? "").split("\n").length - 1;
    const long = files.filter((file) => lines(file) >= limit);
    expect(long.map((file) => `${file}: ${lines(file)} lines`)).toEqual([]);
  });

  test("have names that say what is in them", () => {
    const EMPTY_WORD = /(^|-)(utils?|helpers?|common|manager|base|misc|stuff)(-|\.|$)/;
    const words = (file: string) => file.split("/").some((part) => EMPTY_WORD.test(part));
    expect([...PRODUCT, ...TESTS].filter(words)).toEqual([]);
  });

  test("name no path of a developer's machine", () => {
    expect(findInCode(PRODUCT, /["'`](\/home\/|\/root\/|\/Users\/|\/work\/)/)).toEqual([]);
  });
});

describe("brokers", () => {
  const BROKERS = foldersIn("src/brokers");

  test.each(["adapter.ts", "config.ts"])("each has its %s", (name) => {
    const missing = BROKERS.filter(
      (broker) => textOf(`src/brokers/${broker}/${name}`) === undefined,
    );
    expect(missing).toEqual([]);
  });

  test("each runs the conformance suite", () => {
    const runs = (broker: string) =>
      /\bbrokerAdapterConformance\(/.test(textOf(`test/conformance/${broker}.test.ts`) ?? "");
    expect(BROKERS.filter((broker) => !runs(broker))).toEqual([]);
  });
});

describe("Redis keys", () => {
  // A literal such as "gw:accounts" or `${prefix}:sent`; not an import, a URL or a plain sentence.
  // BullMQ's own keys, `${prefix}:${lane}:wait`, start with a prefix that the table lists.
  const KEY =
    /["'`](?!node:|unix:|https?:|rediss?:)([a-z][a-z-]*:[A-Za-z${]|\$\{prefix\}:[A-Za-z{])[^\s"'`]*["'`]/;
  const KEY_TABLE = "src/store/keys.ts";

  test("are spelled in the key table only", () => {
    const others = sourceFiles("src/store", "queues").filter((file) => file !== KEY_TABLE);
    expect(findInCode(others, KEY)).toEqual([]);
  });

  test("are recognised as such", () => {
    expect(
      ['"gw:accounts"', "`${prefix}:sent`", "`gw:{${id}}:open`"].filter((key) => !KEY.test(key)),
    ).toEqual([]);
    expect(
      ['"node:fs"', '"unix:/run/a"', '"redis://a"', '"note: text"'].filter((key) => KEY.test(key)),
    ).toEqual([]);
    expect(findInCode([KEY_TABLE], KEY).length).toBeGreaterThan(0);
  });
});
