import { EventEmitter } from "node:events";
import { PassThrough } from "node:stream";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { noticeSilence } from "../../../../src/store/redis/notice-silence.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "setImmediate", "clearImmediate"] });
});
afterEach(() => void vi.useRealTimers());

/** A link to a Redis that has been shaken hands with, and answers when the test says so. */
function open() {
  const stream = new PassThrough();
  const ping = vi.fn<() => Promise<string>>(async () => await Promise.resolve("PONG"));
  const redis = Object.assign(new EventEmitter(), { stream, status: "ready", ping });
  const errors: string[] = [];
  redis.on("error", (error: Error) => errors.push(error.message));
  noticeSilence(redis as never);
  redis.emit("connect");
  return { redis, stream, ping, errors, answer: () => void stream.emit("data", "+PONG") };
}

const pass = (ms: number) => void vi.advanceTimersByTime(ms);

test.each(["connecting", "ready"])(
  "a link without an answer to its handshake is given up after 3 s: %s",
  (status) => {
    const { redis, stream, errors } = open();
    redis.status = status;
    pass(2_900);
    expect([stream.destroyed, errors]).toEqual([false, []]);
    pass(101);
    expect(stream.destroyed).toBe(true);
    expect(errors).toEqual(["Redis does not answer; the connection is given up"]);
  },
);

test("one that falls silent is given up after three to four seconds", () => {
  const { stream, answer } = open();
  pass(2_500);
  answer();
  pass(3_000);
  expect(stream.destroyed).toBe(false);
  pass(1_000);
  expect(stream.destroyed).toBe(true);
});

test("one that answers is kept, and asked each second", () => {
  const { stream, ping, errors, answer } = open();
  pass(1);
  for (let second = 0; second < 60; second += 1) {
    pass(1_000);
    answer();
  }
  expect([stream.destroyed, errors]).toEqual([false, []]);
  expect(ping).toHaveBeenCalledTimes(60);
});

test("one that answers each third second only is kept", () => {
  const { stream, answer } = open();
  pass(1);
  for (let time = 0; time < 20; time += 1) {
    answer();
    pass(3_000);
  }
  expect(stream.destroyed).toBe(false);
});

test("one that is not ready is waited for, and not asked", () => {
  const { redis, ping, stream, answer } = open();
  redis.status = "connect";
  for (let second = 0; second < 10; second += 1) {
    pass(1_000);
    answer();
  }
  expect([stream.destroyed, ping.mock.calls]).toEqual([false, []]);
});

test("one that has ended is not looked at again", () => {
  const { stream, errors } = open();
  stream.emit("close");
  pass(10_000);
  expect([vi.getTimerCount(), errors]).toEqual([0, []]);
});
