import { type ExitCase, isGoal, inWords, type Seen } from "./exit-case.ts";

const HELD = { net: 2, stops: 2, targets: 2 };

/** Each promise that a case breaks, in words. */
export function brokenBy(one: ExitCase, seen: Seen): readonly string[] {
  const { form, situation } = one;
  const { status, outcome, then, end, sold, lowest, bare } = seen;
  const broken: string[] = [];
  const must = (isKept: boolean, promise: string) => void (isKept || broken.push(promise));
  const answered = `${status} ${outcome}`;
  const isWhole = inWords(then) === inWords(HELD);

  // Always
  const isDone = outcome === "done";
  if (isDone) must(isGoal(then, one), `${answered} is said of what is done (${inWords(then)})`);
  must(lowest >= Math.min(0, form.leaves), `never turned around (it was ${lowest})`);
  const most = 2 - form.leaves;
  must(sold <= most, `no two closes fill (${sold} were sold)`);

  const isRefusedForGood =
    situation === "may not trade" ||
    (form.isOrder === true && !isDone && status >= 400 && outcome !== "OUTCOME_UNKNOWN");
  if (isRefusedForGood) {
    must(isWhole && sold === 0, `a refused exit touches nothing (${inWords(then)})`);
    must(inWords(end) === inWords(HELD), `it stays so (${inWords(end)})`);
  } else if (form.isOrder === true && situation === "its close never arrives") {
    must(sold === 0 && inWords(end) === inWords(HELD), `what never came is not sent again`);
  } else must(isGoal(end, one), `in the end it is done (${inWords(end)})`);

  const expected = answersTo(one);
  must(expected.includes(answered), `answered ${expected.join(", or ")}, and not ${answered}`);
  if (situation === "refused four times" && form.isOrder !== true) {
    must(isWhole, `what is refused gets its exits back (${inWords(then)})`);
    must(bare === 0, `they stay while it goes on (${bare} looks)`);
  }
  return broken;
}

const UNKNOWN = ["202 pending", "202 unknown", "500 OUTCOME_UNKNOWN"];

/** Each answer that is right. */
function answersTo({ form, situation }: ExitCase): readonly string[] {
  const done = ["200 done", "201 done"];
  const refused = ["422 BROKER_ORDER_REJECTED", "502 BROKER_ORDER_REJECTED"];
  switch (situation) {
    case "nothing goes wrong":
      return done;
    case "refused once":
      if (form.isOrder === true) return refused;
      // It is tried again at once only where its exits were not gone by then.
      return ["202 unfinished", ...done];
    case "refused four times":
      return form.isOrder === true ? refused : ["202 unfinished"];
    case "cut off between cancel and close":
    case "its answer is lost":
      return [...UNKNOWN, "202 unfinished", ...done];
    case "its close never arrives":
      return form.isOrder === true
        ? [...UNKNOWN, "503 BROKER_UNAVAILABLE", "504 BROKER_UNAVAILABLE"]
        : [...UNKNOWN, "202 unfinished", ...done];
    case "may not trade":
      return ["403 ACCOUNT_INACTIVE"];
    case "may not trade, untold":
      return form.isOrder === true ? refused : ["202 unfinished", "403 ACCOUNT_INACTIVE"];
  }
}
