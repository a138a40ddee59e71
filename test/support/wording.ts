import { createHash } from "node:crypto";
import { documents, sourceFiles, styleSheets, textOf } from "./source-tree.ts";

/** Fingerprints of the faulty sentences that are older than docs/writing.md, sorted, one a line. */
export const OLD_WORDING = "test/architecture/old-wording.txt";

const CODE = ["src", "queues", "config", "grafana/src", "test"];

/** In words. Only documents are held to it. */
const LONGEST_SENTENCE = 25;
const OPENING = /^(What|Whatever|Of|Where|Whose|Who|Whoever|(?:Undefined|Null) where)\b/;
/** Each word, and the plain ones for it. */
const PLAIN_WORDS = {
  told: "reported, published, sent or known",
  tells: "reports, says or shows",
  stands: "is, stays, works or applies",
  nobody: "the missing actor, or no one",
  whoever: "the actor: the caller, the next owner",
} as const;
const WORD = new RegExp(String.raw`\b(${Object.keys(PLAIN_WORDS).join("|")})\b`, "i");

export interface Fault {
  readonly file: string;
  readonly line: number;
  readonly sentence: string;
  readonly rule: string;
}

/** Sentences that may stay as they are until someone changes them. */
export const oldWording = (): Set<string> =>
  new Set((textOf(OLD_WORDING) ?? "").trim().split("\n"));

/** The old sentences that are still in the tree. The list never grows: a new sentence is plain. */
export function remainingOldWording(): string {
  const found = new Set(wordingFaults().map(({ sentence }) => fingerprint(sentence)));
  const remaining = [...oldWording()].filter((print) => found.has(print)).toSorted();
  return `${remaining.join("\n")}\n`;
}

/** Every sentence of code and documents that breaks a rule of docs/writing.md, the old ones too. */
export function wordingFaults(): Fault[] {
  const files = [...sourceFiles(...CODE), ...styleSheets("src"), ...documents()];
  return files.flatMap((file) => faultsIn(file, textOf(file) ?? ""));
}

export function faultsIn(file: string, text: string): Fault[] {
  const isPage = file.endsWith(".md");
  const passages = isPage ? [proseOf(text)] : [...commentsIn(text), ...textsIn(file, text)];
  return passages.flatMap((passage) =>
    sentencesIn(passage).flatMap(({ text: sentence, from }) => {
      const rule = brokenRule(sentence, isPage);
      const line = () => text.slice(0, from).split("\n").length;
      return rule === undefined ? [] : [{ file, line: line(), sentence, rule }];
    }),
  );
}

/** The same for a sentence wherever it lies and however its lines break. */
export const fingerprint = (sentence: string): string =>
  createHash("sha256").update(sentence).digest("hex").slice(0, 6);

function brokenRule(sentence: string, isPage: boolean): string | undefined {
  const words = sentence.replaceAll(/`[^`]*`|"[^"]*"/g, "X");
  const count = words.split(" ").filter((word) => /[\p{L}\d]/u.test(word)).length;
  if (isPage && count > LONGEST_SENTENCE) return `has ${count} words, at most ${LONGEST_SENTENCE}`;
  const [, opening] = OPENING.exec(words.replace(/^[^\p{L}]+/u, "")) ?? [];
  // A label of three words and a question may begin so.
  if (opening !== undefined && count > 3 && !sentence.endsWith("?")) {
    return `begins with "${opening}": begin with the noun`;
  }
  const [word] = WORD.exec(words) ?? [];
  if (word === undefined) return undefined;
  return `has "${word}": write ${PLAIN_WORDS[word.toLowerCase() as keyof typeof PLAIN_WORDS]}`;
}

interface Passage {
  readonly text: string;
  /** The place in its file at which it begins. */
  readonly from: number;
}

/** Ends at a full stop, an empty line, or the next item of a list. */
const SENTENCE =
  /\S[^]*?(?:(?<!e\.g|i\.e)[.!?][)\]"'*_`]*(?=\s)|(?=\n\s*\n|\n\s*(?:[-*+]|\d+[.)])\s)|(?![^]))/g;

function sentencesIn({ text, from }: Passage): Passage[] {
  return [...text.matchAll(SENTENCE)].map(({ 0: sentence, index }) => ({
    text: sentence.replaceAll(/\s+/g, " ").trim(),
    from: from + index,
  }));
}

const blanked = (text: string): string => text.replaceAll(/[^\n]/g, " ");

/** A page without its code, tables, headings, comments and addresses. */
function proseOf(page: string): Passage {
  const NO_PROSE =
    /^( *)```[^]*?^\1```|<!--[^]*?-->|^[ >]*[|#].*|^<.*|(?<=\])\([^)\s]*\)|^[ >]*>/gm;
  return { text: page.replaceAll(NO_PROSE, blanked), from: 0 };
}

const COMMENT = /^[ \t]*\{?\/\*[^]*?\*\/|(?:^[ \t]*(?:\/\/|-- ).*\n)+|(?<=[;,{(] )\/\/ [^"\n]*$/gm;

function commentsIn(code: string): Passage[] {
  return passages(code, COMMENT, (comment) =>
    comment.replaceAll(/^[ \t]*(?:\{?\/\*\*?|\/\/|--|\*(?!\/))|\*\/$|^\/\//gm, blanked),
  );
}

/** Four words or more, and no sign that only code has. */
const IS_TEXT = /^[\p{L}`"'(](?!.*[=<>{}|]|[^]*;\n)(?:\S*\s+){3}\S/u;

/** Literals on one line and text between the tags of a page, where people read them. */
function textsIn(file: string, code: string): Passage[] {
  if (file.startsWith("test/")) return [];
  const bare = code.replaceAll(COMMENT, blanked);
  const literals = passages(
    bare,
    /"(?:[^"\\\n]|\\.)*"|`(?:[^`\\\n]|\\.)*`/g,
    (literal) => ` ${literal.slice(1, -1).replaceAll(/\$\{[^}]*\}/g, "X")} `,
  );
  const betweenTags = file.endsWith(".tsx") ? passages(bare, /(?<=[>}])[^<>{}]+(?=[<{])/g) : [];
  return [...literals, ...betweenTags].filter(({ text }) => IS_TEXT.test(text.trim()));
}

function passages(code: string, pattern: RegExp, toText = (found: string) => found): Passage[] {
  return [...code.matchAll(pattern)].map(({ 0: found, index }) => ({
    text: toText(found),
    from: index,
  }));
}
