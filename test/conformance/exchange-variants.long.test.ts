/**
 * Goal: brokers that cannot do something keep their promises all the same, and say what they cannot.
 * Method: the suite once more for each capability that is missing, against one broker process.
 */
import { beforeAll } from "vitest";
import { type ExchangeSimulator, startExchangeSimulator } from "../simulators/exchange/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { ALL_CAPABILITIES, createSimulatedOn } from "./simulator-kit.ts";

let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  return simulator.stop;
});

/** A broker that links nothing cannot end the other leg of a pair either. */
const UNLINKED = { nativeOco: false, cancelEndsLinkedLeg: false };

const VARIANTS = [
  ["no brackets", { nativeBracket: false }],
  ["no linked orders", UNLINKED],
  ["cancels that leave the other leg", { cancelEndsLinkedLeg: false }],
  ["no refusal of duplicates", { refusesDuplicates: false }],
  ["nothing of it", { ...UNLINKED, nativeBracket: false, refusesDuplicates: false }],
] as const;

for (const [name, missing] of VARIANTS) {
  const capabilities = { ...ALL_CAPABILITIES, ...missing };
  brokerAdapterConformance(`The exchange simulator with ${name}`, capabilities, () =>
    createSimulatedOn(simulator, { capabilities }),
  );
}
