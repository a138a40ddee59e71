import { readdirSync } from "node:fs";
import path from "node:path";
import { ROOT, textOf } from "./source-tree.ts";

const FOLDER = "docs/decisions";

/** What a decision is about, in the order of the index. */
export const SUBJECTS = {
  accepting: "Accepting, sending and storing",
  alerts: "Alerts",
  orders: "Orders and their legs",
  exits: "Exits and protection",
  guards: "Guards",
  markets: "Contracts, prices and money",
  brokers: "Brokers and connections",
  copying: "Copy trading",
  strategies: "Strategies",
  people: "People, the API and the console",
  operations: "Running it",
} as const;

export interface Decision {
  readonly file: string;
  readonly date: string;
  readonly title: string;
  readonly subject: string;
  /** The file of the decision that replaced it; undefined while it stands. */
  readonly supersededBy: string | undefined;
  readonly lines: number;
}

/** Every decision there is, newest first. */
export function decisions(): Decision[] {
  const files = readdirSync(path.join(ROOT, FOLDER)).filter((name) => name !== "README.md");
  return files
    .toSorted((a, b) => dateOf(b).localeCompare(dateOf(a)) || a.localeCompare(b))
    .map(readDecision);
}

/** The index of the decisions, by subject, as Markdown. */
export function describeDecisions(): string {
  const all = decisions();
  const sections = Object.entries(SUBJECTS).map(([subject, heading]) => {
    const rows = all.filter((decision) => decision.subject === subject).map(row);
    return [`## ${heading}`, "", "| Date | Decision |", "|---|---|", ...rows, ""].join("\n");
  });
  return sections.join("\n");
}

function readDecision(file: string): Decision {
  const text = textOf(`${FOLDER}/${file}`) ?? "";
  return {
    file,
    date: dateOf(file),
    title: /^# (.+)\n/.exec(text)?.[1] ?? "",
    subject: /^Subject: (.+)$/m.exec(text)?.[1] ?? "",
    supersededBy: /^Superseded by:\s+\[[^\]]+\]\(([^)]+)\)$/m.exec(text)?.[1],
    lines: text.split("\n").length - 1,
  };
}

function row({ date, title, file, supersededBy }: Decision): string {
  const link = `[${title}](${file})`;
  return `| ${date} | ${supersededBy === undefined ? link : `${link}: [superseded](${supersededBy})`} |`;
}

const dateOf = (file: string): string => file.slice(0, "2026-01-01".length);
