import type { ComponentChildren } from "preact";

/** A column by its heading; figures stand at its right side. */
type Column = string | { readonly figure: string } | { readonly unseen: string };

/** The column of what can be done with a row: one sees that by its buttons. */
export const ACTS: Column = { unseen: "Actions" };

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
  columns: readonly Column[];
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

function headOf(column: Column) {
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
