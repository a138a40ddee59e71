import type { ComponentChildren } from "preact";

/** What stands above a column; figures stand at its right side. */
type Heading = string | { readonly figure: string } | { readonly unseen: string };

/** Above what can be done with a row: one sees that by its buttons. */
export const ACTS: Heading = { unseen: "Actions" };

/** A table, `children` its rows. Where it is wider than its place, it is scrolled within. */
export function Table({
  look,
  name,
  columns,
  children,
}: {
  /** Its class: how it is shown on a narrow screen. */
  look?: "cards" | "log";
  /** What it is called, where nothing in it takes the keyboard, which has to scroll it too. */
  name?: string;
  columns: readonly Heading[];
  children: ComponentChildren;
}) {
  return (
    <div
      class="scroll"
      {...(name !== undefined && { role: "group", "aria-label": name, tabIndex: 0 })}
    >
      <table class={look}>
        <thead>
          <tr>{columns.map(headOf)}</tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

/** A column: its heading, and what stands below it in each row. */
export interface Column<Row> {
  readonly head: Heading;
  readonly cell: (row: Row) => ComponentChildren;
  /** Of its cells: a class, where they are not like every other. */
  readonly look?: string | ((row: Row) => string);
}

/** Rows of one shape, which on a narrow screen become cards; the first column names the row. */
export function CardTable<Row>({
  rows,
  keyOf,
  columns,
}: {
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  columns: readonly Column<Row>[];
}) {
  return (
    <Table look="cards" columns={columns.map(({ head }) => head)}>
      {rows.map((row) => (
        <tr key={keyOf(row)}>{columns.map((column, place) => cellOf(column, place, row))}</tr>
      ))}
    </Table>
  );
}

function cellOf<Row>({ head, cell, look }: Column<Row>, place: number, row: Row) {
  const isFigure = typeof head !== "string" && "figure" in head;
  const name = typeof head === "string" ? head : "figure" in head ? head.figure : undefined;
  const own = typeof look === "function" ? look(row) : look;
  const tied = { "data-name": name, class: own ?? (isFigure ? "number" : undefined) };
  return place === 0 ? (
    <th key={place} {...tied} scope="row">
      {cell(row)}
    </th>
  ) : (
    <td key={place} {...tied}>
      {cell(row)}
    </td>
  );
}

function headOf(column: Heading) {
  if (typeof column === "string") {
    return (
      <th key={column} scope="col">
        {column}
      </th>
    );
  }
  if ("figure" in column) {
    return (
      <th key={column.figure} scope="col" class="number">
        {column.figure}
      </th>
    );
  }
  return (
    <th key={column.unseen} scope="col">
      <span class="unseen">{column.unseen}</span>
    </th>
  );
}

interface FigureRow {
  readonly name: string;
  readonly figures: readonly (number | string)[];
}

/** The figures that a chart is drawn from, to be unfolded below it. */
export function FigureTable({
  rowName,
  figureNames,
  rows,
}: {
  /** What each row stands for. */
  rowName: string;
  figureNames: readonly string[];
  rows: readonly FigureRow[];
}) {
  return (
    <details>
      <summary>As a table</summary>
      <Table
        name="The chart's figures"
        columns={[rowName, ...figureNames.map((figure) => ({ figure }))]}
      >
        {rows.map(({ name, figures }, index) => (
          <tr key={index}>
            <th scope="row">{name}</th>
            {figures.map((figure, column) => (
              <td key={column} class="number">
                {figure}
              </td>
            ))}
          </tr>
        ))}
      </Table>
    </details>
  );
}
