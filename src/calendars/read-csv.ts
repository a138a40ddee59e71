import { CsvError, parse } from "csv-parse/sync";
import { EVENT_IMPACTS, type EventImpact } from "../domain/guards/economic-calendar.ts";
import type { CalendarReading } from "../trading/guards/calendar-ports.ts";
import { EventCollector } from "./collect-events.ts";
import { readTime } from "./read-time.ts";

const COLUMNS = ["start", "title", "impact", "products", "currency"] as const;
type Column = (typeof COLUMNS)[number];

interface Row {
  readonly record: readonly string[];
  readonly info: { readonly lines: number };
}

/**
 * Reads a table with a header: `start`, `title` and, where they are known, `impact`, `products` (roots,
 * apart by a space, a comma or a bar) and `currency`. Columns are apart by commas, semicolons or tabs.
 */
export function readCsv(text: string, zone: string): CalendarReading {
  const found = new EventCollector();
  for (const { cells, where } of rowsOf(text, found)) readRow(cells, where, zone, found);
  return found.end("csv");
}

function rowsOf(text: string, found: EventCollector) {
  const [header, ...rows] = parseRows(text, found);
  const names = header?.record.map((name) => name.toLowerCase()) ?? [];
  const wrong = headerProblem(names);
  if (wrong !== undefined) {
    if (header !== undefined) found.fail(`line ${header.info.lines}`, wrong);
    return [];
  }
  return rows.flatMap(({ record, info }) => {
    const where = `line ${info.lines}`;
    if (record.length > names.length) {
      found.fail(where, `has ${record.length} columns, and the header ${names.length}`);
      return [];
    }
    const cells = new Map(names.map((name, at) => [name as Column, record[at] ?? ""]));
    return [{ cells, where }];
  });
}

function parseRows(text: string, found: EventCollector): readonly Row[] {
  const [first = ""] = text.split(/\r?\n/, 1);
  const delimiter = [",", ";", "\t"].find((one) => first.includes(one)) ?? ",";
  try {
    return parse(text, {
      delimiter,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      skip_records_with_empty_values: true,
    }) as unknown as readonly Row[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    const { lines } = error as { lines?: unknown };
    found.fail(`line ${typeof lines === "number" ? lines : 1}`, `is no CSV: ${error.message}`);
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
  const products = cell("products")
    .toUpperCase()
    .split(/[\s,;|]+/)
    .filter(Boolean);
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
