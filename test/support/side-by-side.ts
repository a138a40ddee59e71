import { AsyncLocalStorage } from "node:async_hooks";
import { aroundEach, onTestFinished, type TestContext } from "vitest";

/** The test that a call belongs to. Vitest knows a single current test, and several run at once. */
const running = new AsyncLocalStorage<TestContext>();

/** A file calls it once, so that its concurrent tests may use `endWithTest`. */
export function testsSideBySide(): void {
  aroundEach(async (runTest, context) => await running.run(context, runTest));
}

/** Ends something with the test that started it, also while other tests of a file that says so run. */
export function endWithTest(end: () => void | Promise<void>): void {
  const context = running.getStore();
  if (context === undefined) onTestFinished(end);
  else context.onTestFinished(end);
}
