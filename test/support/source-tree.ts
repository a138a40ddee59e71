import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

export const ROOT = path.join(import.meta.dirname, "../..");

/** Types of the API: a build writes them, so no rule of the house applies to them. */
const API_TYPES = "src/console/api/schema.ts";

/** The paths, from the project's root, of the TypeScript files below the folders that people write. */
export function sourceFiles(...folders: readonly string[]): string[] {
  return filesBelow(folders, /\.tsx?$/).filter((file) => file !== API_TYPES);
}

/** The paths, from the project's root, of the style sheets below a folder. */
export const styleSheets = (folder: string): string[] => filesBelow([folder], /\.css$/);

/** The paths, from the project's root, of every page of text. */
export function documents(): string[] {
  const isPage = /\.md$/;
  return [
    ...readdirSync(ROOT).filter((name) => isPage.test(name)),
    ...filesBelow(["docs", "src", "test", "grafana"], isPage),
  ].toSorted();
}

function filesBelow(folders: readonly string[], pattern: RegExp): string[] {
  return folders
    .filter((folder) => existsSync(path.join(ROOT, folder)))
    .flatMap((folder) =>
      readdirSync(path.join(ROOT, folder), { recursive: true, encoding: "utf8" })
        .filter((name) => pattern.test(name))
        .map((name) => path.posix.join(folder, name)),
    )
    .toSorted();
}

/** The names of the folders in a folder; none when it does not exist. */
export function foldersIn(folder: string): string[] {
  if (!existsSync(path.join(ROOT, folder))) return [];
  return readdirSync(path.join(ROOT, folder), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name);
}

/** A file of settings with what is prepared in it, in comments that are no prose. */
export const uncommented = (text: string): string =>
  text.replaceAll(/^( +)# (- |  |[a-z-]+:$)/gm, "$1$2");

/** The file's text; undefined when there is no such file yet. */
export function textOf(file: string): string | undefined {
  const where = path.join(ROOT, file);
  return existsSync(where) ? readFileSync(where, "utf8") : undefined;
}

/** Where code, comments left out, matches the pattern: `file:line text`. */
export function findInCode(files: readonly string[], pattern: RegExp): string[] {
  return files.flatMap((file) => {
    const lines = withoutComments(textOf(file) ?? "").split("\n");
    return lines.flatMap((line, n) =>
      pattern.test(line) ? [`${file}:${n + 1} ${line.trim()}`] : [],
    );
  });
}

/** Keeps the line breaks, so that line numbers stay right. */
function withoutComments(code: string): string {
  return code
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/(^|\s)\/\/.*$/gm, "");
}
