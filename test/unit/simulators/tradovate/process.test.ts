import { expect, test } from "vitest";
import { startTradovateSimulator } from "../../../simulators/tradovate/start.ts";

test("the broker is a process of its own, with its knobs and its logs", async () => {
  const simulator = await startTradovateSimulator();
  try {
    await simulator.control({ knob: "user", name: "joe", password: "x", accounts: 1 });
    const answer = await fetch(`${simulator.url}/auth/accesstokenrequest`, {
      method: "POST",
      body: JSON.stringify({ name: "joe", password: "x" }),
    });
    expect(await answer.json()).toHaveProperty("accessToken");
    expect(await simulator.log()).toMatchObject([{ op: "login", connection: "joe" }]);
    expect((await simulator.wire()).map(({ dir }) => dir)).toEqual(["in", "out"]);
    expect(Object.keys((await simulator.state()).accounts)).toEqual(["joe-1"]);
    await simulator.setPrice({ symbol: "ESZ6", bid: 1, ask: 2 });
    await expect(simulator.setPrice({ symbol: "XX", price: 1 })).rejects.toThrow("no contract XX");
  } finally {
    await simulator.stop();
  }
});
