import { CsvError, parse } from "csv-parse/sync";
import { EVENT_IMPACTS, type EventImpact } from "../domain/guards/economic-calendar.ts";
import { type CalendarSteps, EventCollector } from "./collect-events.ts";
import { readTime } from "./read-time.ts";

const COLUMNS = ["start", "title", "impact", "products", "currency"] as const;
type Column = (typeof COLUMNS)[number];

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/** Longer rows are refused; so much is parsed at a time, or a row that begins there. */
const ROW_CHARACTERS = 8_192;
/** So many short rows take as long as one long one. */
const LINES_AT_ONCE = 200;
/** The parser looks at a whole row before it finds it too long. */
const PIECE_CHARACTERS = 4 * ROW_CHARACTERS;

/**
 * Reads a table with a header: `start`, `title` and, where they are known, `impact`, `products` (roots,
 * apart by a space, a comma or a bar) and `currency`. Columns are apart by commas, semicolons or tabs.
 */
export function* readCsv(text: string, zone: string): CalendarSteps {
  const found = new EventCollector();
  let names: readonly string[] | undefined;
  for (const row of rowsOf(text, found)) {
    yield;
    if (found.isOver) break;
    if (row === undefined) continue;
    const { record, where } = row;
    if (names === undefined) {
      names = record.map((name) => name.toLowerCase());
      const wrong = headerProblem(names);
      if (wrong === undefined) continue;
      found.fail(where, wrong);
      break;
    }
    if (record.length > names.length) {
      found.fail(where, `has ${record.length} columns, and the header ${names.length}`);
      continue;
    }
    const cells = new Map(names.map((name, at) => [name as Column, record[at] ?? ""]));
    readRow(cells, where, zone, found);
  }
  return found.end("csv");
}

/** The rows, with an undefined one after each piece of the file. */
function* rowsOf(text: string, found: EventCollector) {
  const [first = ""] = text.slice(0, ROW_CHARACTERS).split(/\r?\n/, 1);
  const delimiter = [",", ";", "\t"].find((one) => first.includes(one)) ?? ",";
  for (const piece of piecesOf(text)) {
    for (const { record, info } of parsePiece(piece, delimiter, found)) {
      yield { record, where: `line ${piece.line - 1 + info.lines}` };
    }
    yield undefined;
  }
}

interface Piece {
  readonly text: string;
  /** The number of its first line. */
  readonly line: number;
}

/** Cuts a file between two lines where no quoted cell is open. */
function* piecesOf(text: string): Generator<Piece> {
  let [begun, at, line, lines, isQuoted] = [0, 0, 1, 0, false];
  let quote = text.indexOf('"');
  while (at < text.length) {
    const found = text.indexOf("\n", at);
    at = found === -1 ? text.length : found + 1;
    lines += 1;
    while (quote !== -1 && quote < at) {
      isQuoted = !isQuoted;
      quote = text.indexOf('"', quote + 1);
    }
    const isShort = at - begun < ROW_CHARACTERS && lines < LINES_AT_ONCE;
    if (at < text.length && (isQuoted || isShort)) continue;
    yield { text: text.slice(begun, at), line };
    line += lines;
    [begun, lines] = [at, 0];
  }
}

function parsePiece(
  { text, line }: Piece,
  delimiter: string,
  found: EventCollector,
): readonly Row[] {
  if (text.length > PIECE_CHARACTERS) {
    found.fail(`line ${line}`, `here or below, a row is longer than ${ROW_CHARACTERS} characters`);
    return [];
  }
  try {
    return parse(text, {
      delimiter,
      info: true,
      trim: true,
      max_record_size: ROW_CHARACTERS,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as readonly Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: unknown };
    const at = typeof lines === "number" ? lines : 1;
    found.fail(`line ${line - 1 + at}`, `is no CSV: ${error.message}`);
    return [];
  }
}

function headerProblem(names: readonly string[]): string | undefined {
  const known: readonly string[] = COLUMNS;
  const other = names.find((name) => !known.includes(name));
  if (other !== undefined) return `"${other}" is none of the columns ${COLUMNS.join(", ")}`;
  if (new Set(names).size < names.length) return "names a column twice";
  const missing = ["start", "title"].find((name) => !names.includes(name));
  return missing === undefined ? undefined : `has no column "${missing}"`;
}

function readRow(
  cells: ReadonlyMap<Column, string>,
  where: string,
  zone: string,
  found: EventCollector,
): void {
  const cell = (column: Column) => cells.get(column) ?? "";
  const time = readTime(cell("start"), zone);
  if (time === undefined) {
    found.fail(where, `"${cell("start")}" is no time; one is 2026-12-10 08:30`);
    return;
  }
  const impact = cell("impact").toLowerCase();
  if (impact !== "" && !isImpact(impact)) {
    found.fail(where, `"${impact}" is no impact; one of ${EVENT_IMPACTS.join(", ")}`);
    return;
  }
  const words = cell("products")
    .toUpperCase()
    .split(/[\s,;|]+/);
  const products = [...new Set(words.filter(Boolean))];
  const wrong = products.find((root) => !/^[A-Z0-9]{1,4}$/.test(root));
  if (wrong !== undefined) {
    found.fail(where, `"${wrong}" is no root; one is ES`);
    return;
  }
  const currency = cell("currency").toUpperCase();
  if (!/^(?:[A-Z]{3})?$/.test(currency)) {
    found.fail(where, `"${currency}" is no currency; one is USD`);
    return;
  }
  found.add(where, {
    ...time,
    title: cell("title"),
    ...(impact !== "" && { impact }),
    ...(products.length > 0 && { products }),
    ...(currency !== "" && { currency }),
  });
}

const isImpact = (text: string): text is EventImpact =>
  (EVENT_IMPACTS as readonly string[]).includes(text);
