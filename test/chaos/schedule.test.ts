import { expect, test } from "vitest";
import { MODES } from "./modes.ts";
import { type Fault, planFaults } from "./schedule.ts";
import { heldAfter, planCalls } from "./wishes.ts";

const { shape } = MODES.default;
const { shape: long } = MODES.long;

test("the same seed gives the same faults, another one others", () => {
  expect(planFaults(7, shape)).toEqual(planFaults(7, shape));
  expect(planFaults(8, shape)).not.toEqual(planFaults(7, shape));
});

test("the same seed gives the same calls, another one others", () => {
  const [one, same, other] = [7, 7, 8].map((seed) => [...planCalls(seed, MODES.short.shape)]);
  expect(same).toEqual(one);
  expect(other).not.toEqual(one);
});

test("a long run plans every kind of fault, and enough of them to kill 200 times", () => {
  const planned = planFaults(1, long).map(({ fault }) => fault);
  const kinds = new Set(planned.map(({ kind }) => kind));
  expect([...kinds].toSorted()).toEqual([...ALL_KINDS].toSorted());
  const kills = planned.filter(({ kind }) => kind.startsWith("kill") || kind.startsWith("crash"));
  expect(kills.length).toBeGreaterThan(230);
});

test("faults are planned inside the load, one after another, and name what there is", () => {
  const planned = planFaults(3, long);
  const times = planned.map(({ atMs }) => atMs);
  expect(times).toEqual(times.toSorted((one, other) => one - other));
  for (const { atMs, fault } of planned) {
    expect(atMs).toBeLessThan(long.loadMs);
    expect(connectionOf(fault)).toBeLessThan(long.connections);
    expect("ingress" in fault ? fault.ingress : 0).toBeLessThan(2);
    expect("ms" in fault ? fault.ms : 0).toBeLessThanOrEqual(8_000);
  }
});

test("what is meant to be held stays small on every account", () => {
  const held = new Map<number, number>();
  for (const { account, wish } of planCalls(5, shape)) {
    held.set(account, heldAfter(wish, held.get(account) ?? 0));
    expect(Math.abs(held.get(account) ?? 0)).toBeLessThanOrEqual(6);
  }
});

test("calls come at the wanted pace, through both doors, with every kind of wish", () => {
  const calls = [...planCalls(5, shape)];
  const wanted = (shape.loadMs / 1_000) * shape.intentsPerSecond;
  expect(calls.length / wanted).toBeGreaterThan(0.9);
  expect(calls.length / wanted).toBeLessThan(1.1);
  expect(new Set(calls.map(({ wish }) => wish.kind)).size).toBe(6);
  expect(new Set(calls.map(({ ingress }) => ingress)).size).toBe(2);
  const repeated = calls.filter(({ copies }) => copies > 1);
  const ways = new Set(repeated.map(({ via, isNamed }) => `${via} ${isNamed}`));
  expect(ways.size).toBe(4);
  expect(calls.some(({ wish }) => wish.kind === "order" && wish.hasBracket)).toBe(true);
  expect(calls.some(({ wish }) => wish.kind === "target" && wish.netQty === 0)).toBe(true);
  expect(new Set(calls.map(({ account }) => account)).size).toBe(100);
});

const connectionOf = (fault: Fault): number =>
  "connection" in fault ? fault.connection : "ownerOf" in fault ? fault.ownerOf : 0;

const ALL_KINDS: readonly Fault["kind"][] = [
  "killWorker",
  "killIngress",
  "crashWorker",
  "crashAhead",
  "crashIngress",
  "killRedis",
  "freezeWorker",
  "freezeIngress",
  "freezeRedis",
  "freezeBroker",
  "cutSession",
  "loseAnswer",
  "delayAnswers",
  "brokerFrame",
  "brokerLink",
  "redisLink",
];
