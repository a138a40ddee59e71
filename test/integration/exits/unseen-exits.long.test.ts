// The goal: exits that were asked for with an order stand once, whatever goes wrong at each point between the two.
// The method: one gateway on the simulators of Tradovate and ProjectX, and every fault that they know for it.
import { ASKED, type Asked, type EntryCase, testEntries } from "./entry-cases.ts";

/** Exits whose prices are known before any fill go with their entry. */
const endpointOf = (asked: Asked): string =>
  asked.startsWith("a limit") ? "order/placeoso" : "order/placeorder";

const ENTRY_FAULTS = {
  "no answer comes": { kind: "silence", isCarriedOut: true },
  "the answer is late": { kind: "delay", ms: 7_000 },
  "the link is cut": { kind: "drop", isCarriedOut: true, cutsSockets: true },
  "the answer is empty": { kind: "empty", isCarriedOut: true },
  "the answer is an error": { kind: "status", status: 500, isCarriedOut: true },
} as const;

const EXIT_FAULTS = {
  "its exits are refused": {
    kind: "failure",
    failureReason: "UnknownReason",
    failureText: "No",
  },
  "its exits are not answered, and there": { kind: "silence", isCarriedOut: true },
  "its exits are not answered, and not there": { kind: "silence", isCarriedOut: false },
  "the link is cut after its exits": { kind: "drop", isCarriedOut: true, cutsSockets: true },
  "the link is cut before its exits": { kind: "drop", isCarriedOut: false, cutsSockets: true },
  "its exits are answered late": { kind: "delay", ms: 7_000 },
  "its exits are rejected late": { kind: "riskReject", text: "No" },
  "its target is missing": { kind: "legMissing", leg: 1 },
  "its stop is missing": { kind: "legMissing", leg: 2 },
} as const;

const PROJECTX_FAULTS = {
  "no answer comes": { kind: "silence", isCarriedOut: true },
  "the answer is late": { kind: "delay", ms: 7_000 },
  "the link is cut": { kind: "drop", isCarriedOut: true, cutsHubs: true },
  "the answer is lost": { kind: "drop", isCarriedOut: true },
  "the answer is garbage": { kind: "garbage", isCarriedOut: true },
  "the answer is an error": { kind: "status", status: 500, isCarriedOut: true },
} as const;

const tradovate = (
  asked: Asked,
  [situation, fault]: readonly [string, object],
  endpoint: string,
): EntryCase => ({
  broker: "Tradovate",
  situation,
  asked,
  begin: (desk) => desk.fault?.({ endpoint }, fault),
});

testEntries([
  ...ASKED.flatMap((asked) =>
    Object.entries(ENTRY_FAULTS).map((fault) => tradovate(asked, fault, endpointOf(asked))),
  ),
  ...(["a bracket", "a plan of two targets"] as const).flatMap((asked) =>
    Object.entries(EXIT_FAULTS).map((fault) => tradovate(asked, fault, "order/placeoco")),
  ),
  ...ASKED.flatMap((asked) =>
    Object.entries(PROJECTX_FAULTS).map(([situation, fault]): EntryCase => ({
      broker: "ProjectX",
      situation,
      asked,
      begin: (desk) => desk.fault?.({ path: "Order/place" }, fault),
    })),
  ),
]);
