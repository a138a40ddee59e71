// The goal: forms of exit end where they lead, whatever the broker does, and the answer says how far they are.
// The method: of all in `every-exit.long.test.ts` each form once, in turn at each broker and in each situation.
import { SITUATIONS } from "./exit-case.ts";
import { BROKERS } from "./exit-desk.ts";
import { EXIT_FORMS } from "./exit-forms.ts";
import { testCases } from "./run-cases.ts";

const inTurn = <One>(all: readonly One[], n: number): One => all[n % all.length] as One;

testCases(
  EXIT_FORMS.map((form, n) => ({
    form,
    broker: inTurn(BROKERS, n),
    situation: inTurn(SITUATIONS, n),
  })),
);
