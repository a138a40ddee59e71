import { existsSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { SCRIPT_FAULTS } from "../../mutants/script-faults.ts";
import { ROOT, textOf } from "../../support/source-tree.ts";

test.each(SCRIPT_FAULTS)("can be planted: $name", ({ file, text, replacement, noticedBy }) => {
  expect((textOf(file) ?? "").split(text)).toHaveLength(2);
  expect(replacement).not.toBe(text);
  expect(noticedBy.filter((test) => !existsSync(path.join(ROOT, test)))).toEqual([]);
});
