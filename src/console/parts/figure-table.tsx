import { Table } from "./table.tsx";

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
