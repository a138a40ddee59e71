import { beforeAll } from "vitest";
import type { Fault } from "../simulators/tradovate/faults.ts";
import type { Knob } from "../simulators/tradovate/knobs.ts";
import type { Settings } from "../simulators/tradovate/settings.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { endWithTest, testsSideBySide } from "../support/side-by-side.ts";
import { Trader } from "./broker-under-test.ts";
import { createTradovateOn, type KitDeps, type TradovateUnderTest } from "./tradovate-kit.ts";
import { wireReader } from "./wire-reader.ts";

/** A trader, and the hand on the broker as far as its user goes. */
export interface TradovateCase {
  readonly trader: Trader;
  readonly broker: TradovateUnderTest;
  readonly set: (settings: Partial<Settings>) => Promise<void>;
  readonly turn: (knob: Knob) => Promise<void>;
  readonly fault: (fault: Fault, endpoint?: string, times?: number) => Promise<void>;
  /** How many requests to an endpoint have reached the broker. */
  readonly asked: (endpoint: string) => Promise<number>;
}

type Given = (deps?: KitDeps) => Promise<TradovateCase>;

export interface TradovateCases {
  /** Before its first session. */
  readonly prepared: Given;
  /** In a session, with a market of 999 to 1,000. */
  readonly connected: Given;
  /** How often a user has logged in, whoever asked for it. */
  readonly logins: (user: string) => Promise<number>;
  readonly wire: TradovateSimulator["wire"];
}

/** The cases of one test file, on a simulator of its own. */
export function tradovateCases(): TradovateCases {
  testsSideBySide();
  let simulator: TradovateSimulator;
  let read: TradovateSimulator["wire"];
  beforeAll(async () => {
    simulator = await startTradovateSimulator();
    read = wireReader(simulator.wire);
    return simulator.stop;
  });
  const wire = () => read();
  const prepared: Given = async (deps = {}) => {
    const broker = await createTradovateOn(simulator, deps);
    const trader = new Trader(broker);
    endWithTest(() => trader.close());
    return { trader, broker, ...handOn({ ...simulator, wire }, broker.user) };
  };
  const connected: Given = async (deps) => {
    const given = await prepared(deps);
    await given.trader.connect();
    await given.trader.market(999, 1_000);
    return given;
  };
  const logins = async (user: string) => {
    const asked = (await wire()).filter(
      ({ dir, path }) => dir === "in" && /accesstoken/.test(path ?? ""),
    );
    return asked.filter(({ text }) => text.includes(`"${user}"`)).length;
  };
  return { prepared, connected, logins, wire };
}

function handOn(
  { control, wire }: TradovateSimulator,
  user: string,
): Pick<TradovateCase, "set" | "turn" | "fault" | "asked"> {
  return {
    set: async (settings) => void (await control({ knob: "set", user, ...settings })),
    turn: async (knob) => void (await control(knob)),
    fault: async (fault, endpoint, times) => {
      const where = { ...(endpoint !== undefined && { endpoint }) };
      const often = { ...(times !== undefined && { times }) };
      await control({ knob: "fault", fault, user, ...where, ...often });
    },
    asked: async (endpoint) => {
      const own = (await wire()).filter((entry) => entry.dir === "in" && entry.user === user);
      return own.filter(({ text, path }) => `${path ?? ""}${text}`.includes(endpoint)).length;
    },
  };
}
