import { describe, expect, test } from "vitest";
import { faultsIn, fingerprint, oldWording, wordingFaults } from "../support/wording.ts";

describe("a sentence that is newer than docs/writing.md", () => {
  test("is plain: subject first, words of the field, short in a document", () => {
    const old = oldWording();
    const added = wordingFaults().filter(({ sentence }) => !old.has(fingerprint(sentence)));
    const said = added.map(
      ({ file, line, sentence, rule }) => `${file}:${line} ${rule}\n    ${sentence}`,
    );
    expect(said, "docs/writing.md says how to write it").toEqual([]);
  });
});

const LONG = `The lane ${"never ".repeat(24)}stops.`;

describe("found at its line, whatever its place", () => {
  test.each([
    ["a comment", "src/a.ts", 'const a = "b";\n// What it holds of the leader.\n', 2],
    ["a later sentence", "src/a.ts", "/**\n * It ends.\n * Of an exit, the last leg.\n */\n", 3],
    ["a comment behind code", "queues/a.ts", "stop(); // What came before it is lost.\n", 1],
    ["a comment over two lines", "test/a.ts", "  // The owner is\n  // told of each fill.\n", 1],
    [
      "a comment of a page",
      "src/a.tsx",
      "<p>\n  {/* Where there is none, it is left out. */}\n",
      2,
    ],
    ["a comment of a script", "src/a.ts", "`\n-- Whoever wrote it has the lane.\n`\n", 2],
    ["a style sheet", "src/a.css", "a {\n  /* What stays on the screen at all times. */\n}\n", 2],
    ["a message", "src/a.ts", 'fail("Nobody said in time where it is");\n', 1],
    ["a message with a value", "src/a.ts", "fail(`The broker tells ${count} balances late`);\n", 1],
    ["text of a page", "src/a.tsx", "<p>\n  What you hold stays open.\n</p>\n", 2],
    ["a label of a page", "src/a.tsx", '<Field label="Where the fills are sent to" />\n', 1],
    ["a document", "docs/a.md", "# A\n\n- It ends.\n- Whoever owns it ends it.\n", 4],
    ["a document's bold words", "docs/a.md", "**Who relied on that** looks there.\n", 1],
    ["a long sentence of a document", "docs/a.md", `# A\n\n${LONG}\n`, 3],
  ])("%s", (_, file, text, line) => {
    expect(faultsIn(file, text).map((fault) => fault.line)).toEqual([line]);
  });
});

describe("no fault", () => {
  test.each([
    ["a question", "src/a.ts", "// What if the answer never comes?\n"],
    ["a label of three words", "src/a.ts", 'label("What it costs");\n'],
    ["a word of code", "src/a.ts", "// The state is `told` once it is delivered.\n"],
    ["a quoted word", "src/a.ts", '// Says "nobody" for a session that has no user.\n'],
    ["a name that has the word in it", "src/a.ts", "const toldOutcome = tells(stands);\n"],
    ["a key of Redis", "src/a.ts", "const key = `${prefix}:user:${id}:told`;\n"],
    ["a value in a text", "src/a.ts", "fail(`The balance is ${told} for ${account}`);\n"],
    ["code of a script", "src/a.ts", "`\nlocal told = cjson.decode(body)\n`\n"],
    ["a name of a test", "test/a.test.ts", 'test("what nobody told the gateway is unknown");\n'],
    ["an address in a text", "src/a.ts", 'open("https://broker.example/What/is/told?a=1");\n'],
    ["an arrow between tags", "src/a.tsx", "rows.map((told) => <b>{told}</b>)\n"],
    ["a heading", "docs/a.md", "# What becomes of an order that is unknown\n"],
    ["a table", "docs/a.md", "| What it is to you | told |\n"],
    ["code of a document", "docs/a.md", "```\nWhat is told to it here\n```\n"],
    ["a long sentence of a comment", "src/a.ts", `// ${LONG}\n`],
    ["25 words of a document", "docs/a.md", "The lane works. ".repeat(20)],
    [
      "two items without a full stop",
      "docs/a.md",
      `- ${"word ".repeat(20)}\n- ${"word ".repeat(20)}\n`,
    ],
  ])("%s", (_, file, text) => {
    expect(faultsIn(file, text)).toEqual([]);
  });
});

test("a sentence stays the same in another file and over other lines", () => {
  const [one, other] = [
    faultsIn("src/a.ts", "/** What it holds of the leader. */\n"),
    faultsIn("test/b.ts", "x();\n\n// What it holds\n// of the leader.\n"),
  ].map(([fault]) => fingerprint(fault?.sentence ?? ""));
  expect(one).toBe(other);
});
