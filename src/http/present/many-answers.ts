import type { Answer } from "../answer.ts";

/**
 * Who asks again asks for the whole: they are told to only where nothing at all of it was accepted, and
 * nothing may have been.
 */
export function failureOf(answers: readonly Answer[]): Answer | undefined {
  if (!answers.every(({ status }) => status >= 500)) return undefined;
  return answers.find(({ status }) => status !== 503) ?? answers[0];
}

/** Theirs where all are done, or all accepted; else 207. */
export function commonStatus(answers: readonly Answer[]): number {
  const [status, ...others] = new Set(answers.map((answer) => answer.status));
  if (others.length > 0) return 207;
  if (status === 201) return 200;
  return status === 200 || status === 202 ? status : 207;
}
