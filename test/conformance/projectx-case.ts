import { beforeAll } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import type { AccountId } from "../../src/domain/ids.ts";
import type { ProjectXAdapterDeps } from "../../src/brokers/projectx/adapter.ts";
import type { Fault } from "../simulators/projectx/faults.ts";
import type { Knob } from "../simulators/projectx/knobs.ts";
import type { Settings } from "../simulators/projectx/settings.ts";
import { type ProjectXSimulator, startProjectXSimulator } from "../simulators/projectx/start.ts";
import { endWithTest, testsSideBySide } from "../support/side-by-side.ts";
import { Trader } from "./broker-under-test.ts";
import { createProjectXOn, type ProjectXUnderTest } from "./projectx-kit.ts";
import { wireReader } from "./wire-reader.ts";

/** A trader, and the hand on the broker as far as its user goes. */
export interface ProjectXCase {
  readonly trader: Trader;
  readonly broker: ProjectXUnderTest;
  readonly set: (settings: Partial<Settings>) => Promise<void>;
  readonly turn: (knob: Knob) => Promise<void>;
  /** Of the next requests of a path such as `Order/place`; of the next command without one. */
  readonly fault: (fault: Fault, path?: string, times?: number) => Promise<void>;
  /** The broker carries out the next request of a path at once, and answers when it is let go. */
  readonly hold: (path: string) => Promise<Held>;
  /** The true position at the broker, whatever it says: above 0 long. */
  readonly held: (account: AccountId, contract: ContractCode) => Promise<number>;
  /** How many requests of a path the broker has answered, or was to. */
  readonly asked: (path: string) => Promise<number>;
}

/** An answer that waits. */
export interface Held {
  /** Whether the request has come. */
  readonly isAsked: () => Promise<boolean>;
  readonly letGo: () => Promise<void>;
}

type Given = (
  deps?: Partial<ProjectXAdapterDeps>,
  behaviour?: Partial<Settings>,
) => Promise<ProjectXCase>;

export interface ProjectXCases {
  /** Before its first session. */
  readonly prepared: Given;
  /** In a session, with a market of 999 to 1,000. */
  readonly connected: Given;
}

/** The cases of one test file, on a simulator of its own. */
export function projectXCases(): ProjectXCases {
  testsSideBySide();
  let simulator: ProjectXSimulator;
  let wire: ProjectXSimulator["wire"];
  beforeAll(async () => {
    simulator = await startProjectXSimulator();
    wire = wireReader(simulator.wire);
    return simulator.stop;
  });
  const prepared: Given = async (deps, behaviour) => {
    const broker = await createProjectXOn(simulator, deps, behaviour);
    const trader = new Trader(broker);
    endWithTest(() => trader.close());
    return { trader, broker, ...handOn({ ...simulator, wire }, broker.user) };
  };
  const connected: Given = async (deps, behaviour) => {
    const given = await prepared(deps, behaviour);
    await given.trader.connect();
    await given.trader.market(999, 1_000);
    return given;
  };
  return { prepared, connected };
}

function handOn(
  { control, wire, state }: ProjectXSimulator,
  user: string,
): Omit<ProjectXCase, "trader" | "broker"> {
  const fault: ProjectXCase["fault"] = async (planned, path, times) => {
    const where = { ...(path !== undefined && { path }) };
    const often = { ...(times !== undefined && { times }) };
    await control({ knob: "fault", fault: planned, user, ...where, ...often });
  };
  const held = async () => Number((await control({ knob: "heldAnswers", user }))["held"]);
  return {
    set: async (settings) => void (await control({ knob: "set", user, ...settings })),
    turn: async (knob) => void (await control(knob)),
    fault,
    hold: async (path) => {
      await fault({ kind: "hold" }, path);
      return {
        isAsked: async () => (await held()) > 0,
        letGo: async () => void (await control({ knob: "letGo", user })),
      };
    },
    held: async (account, contract) => {
      const { accounts } = await state();
      const positions = accounts[account.split("-").at(-1) ?? ""]?.positions ?? [];
      return positions.find((one) => one.contract === contract)?.netQty ?? 0;
    },
    asked: async (path) => {
      const own = (await wire()).filter((entry) => entry.dir === "out" && entry.user === user);
      return own.filter((entry) => entry.path === path).length;
    },
  };
}
