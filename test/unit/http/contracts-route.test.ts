// The goal: whoever counts in ticks is told what a tick is, and what it is worth, of every contract.
import { expect, test } from "vitest";
import { contracts } from "../../../config/contracts.ts";
import { startApp } from "./http-kit.ts";

test("every root of the contract table is listed, with its ticks as they are there", async () => {
  const app = await startApp();
  const { status, body } = await app.get("/v1/contracts");
  expect(status).toBe(200);
  expect(body.contracts).toContainEqual({
    root: "MNQ",
    name: "Micro E-mini Nasdaq-100",
    exchange: "CME",
    currency: "USD",
    tickSize: 0.25,
    tickValue: 0.5,
  });
  const told = body.contracts.map((one: Told) => [one.root, one.tickSize, one.tickValue]);
  expect(told).toEqual(
    contracts.map((one) => [one.root, Number(one.tickSize), Number(one.tickValue)]),
  );
});

interface Told {
  readonly root: string;
  readonly tickSize: number;
  readonly tickValue: number;
}
