import type { components } from "../api/schema.ts";

/** What is wrong with a request, each by its field. */
export function FieldProblems({
  problems,
}: {
  problems: readonly components["schemas"]["Problem"][];
}) {
  return (
    <ul class="plain">
      {problems.map(({ path, message }) => (
        <li key={path + message}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}
