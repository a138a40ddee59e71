// The goal: every form of exit ends flat, or where it leads, whatever the broker does, and the answer says how far
// it is. The method: each form at each broker in each situation, through HTTP to one gateway on the simulators,
// and what the broker itself then has. One connection a case, many side by side.
import { SITUATIONS } from "./exit-case.ts";
import { BROKERS } from "./exit-desk.ts";
import { EXIT_FORMS } from "./exit-forms.ts";
import { testCases } from "./run-cases.ts";

const all = SITUATIONS.flatMap((situation) =>
  BROKERS.flatMap((broker) => EXIT_FORMS.map((form) => ({ broker, form, situation }))),
);
// All of them take eight minutes: `EXIT_CASES=.` carries them out. A check takes every eleventh, so that each form,
// broker and situation is among them.
testCases(process.env["EXIT_CASES"] === undefined ? all.filter((_, n) => n % 11 === 0) : all);
