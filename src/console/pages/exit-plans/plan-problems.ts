import { Refused } from "../../api/client.ts";

/** What is wrong with a new plan, at the fields of its form: there they have no plan around them. */
export const atPlanFields = (error: unknown): unknown =>
  withDetails(error, (details) =>
    details.map(({ path, message }) => ({ path: path.replace(/^plan\./, ""), message })),
  );

/** Only what is wrong with this field itself, and nothing within it. */
export function exactly(error: Error | undefined, path: string): Error | undefined {
  const narrowed = withDetails(error, (details) => details.filter((one) => one.path === path));
  return narrowed instanceof Error ? narrowed : undefined;
}

/** What is wrong with the plan as a whole. */
export function wholeProblems(error: Error | undefined): readonly string[] {
  const details = error instanceof Refused ? error.details : [];
  return details
    .filter(({ path }) => path === "body" || path === "plan" || path === "targets")
    .map(({ message, path }) => (path === "targets" ? `The targets: ${message}` : `It ${message}`));
}

function withDetails(
  error: unknown,
  change: (details: Refused["details"]) => Refused["details"],
): unknown {
  return error instanceof Refused ? error.withDetails(change(error.details)) : error;
}
