// The goal: exits that were asked for with an order stand soon after it fills, whatever becomes of its answer and of
// the link, and they stand once. The method: one gateway and all brokers; the entry meets the situation.
import { BROKERS, type ExitDesk } from "./exit-desk.ts";
import { testEntries } from "./entry-cases.ts";

const SITUATIONS = {
  "its answer is lost with the link": (desk: ExitDesk) => desk.loseClose(true),
  "the link is cut at its first command": (desk: ExitDesk) => desk.cutAtFirst(),
} as const;

testEntries([
  ...BROKERS.flatMap((broker) =>
    Object.entries(SITUATIONS).flatMap(([situation, begin]) =>
      (["a bracket", "a stop alone", "a plan of two targets"] as const).map((asked) => ({
        broker,
        situation,
        begin,
        asked,
      })),
    ),
  ),
  {
    broker: "Tradovate",
    situation: "its exits are taken and rejected right after",
    asked: "a bracket",
    begin: (desk) =>
      desk.fault?.({ endpoint: "order/placeoco" }, { kind: "riskReject", text: "No" }),
  },
]);
