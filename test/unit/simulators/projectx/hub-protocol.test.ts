import { describe, expect, test } from "vitest";
import {
  closing,
  completion,
  invocation,
  parseClientMessage,
  RecordReader,
  refusalOfHandshake,
} from "../../../simulators/projectx/hub-protocol.ts";
import { END } from "./test-client.ts";

describe("records", () => {
  test("come several in one frame", () => {
    expect(new RecordReader().read(`{"type":6}${END}{"type":7}${END}`)).toEqual([
      '{"type":6}',
      '{"type":7}',
    ]);
  });

  test("go over several frames, and the next one begins where one ends", () => {
    const reader = new RecordReader();
    expect(reader.read('{"ty')).toEqual([]);
    expect(reader.read('pe":6')).toEqual([]);
    expect(reader.read(`}${END}{"a"`)).toEqual(['{"type":6}']);
    expect(reader.read(`:1}${END}`)).toEqual(['{"a":1}']);
  });

  test("without an end are not kept for ever", () => {
    const reader = new RecordReader();
    expect(() => reader.read("x".repeat(1_000_001))).toThrow("too long");
  });
});

describe("a handshake", () => {
  test.each([
    ['{"protocol":"json","version":1}', undefined],
    ['{"protocol":"messagepack","version":1}', "The protocol 'messagepack' is not supported."],
    [
      '{"protocol":"json","version":7}',
      "The server does not support version 7 of the 'json' protocol.",
    ],
    ['{"version":1}', "Handshake was canceled."],
    ["[]", "Handshake was canceled."],
    ["{", "Handshake was canceled."],
  ])("%s", (record, refusal) => {
    expect(refusalOfHandshake(record)).toBe(refusal);
  });
});

describe("what a client says", () => {
  test.each([
    [{ type: 6 }, { kind: "ping" }],
    [{ type: 7 }, { kind: "close" }],
    [{ type: 5 }, { kind: "passedOver" }],
    [
      { type: 1, invocationId: "4", target: "A", arguments: [1] },
      { kind: "invocation", invocationId: "4", target: "A", args: [1] },
    ],
    [
      { type: 1, target: "A", arguments: [] },
      { kind: "invocation", target: "A", args: [] },
    ],
    [
      { type: 1, target: "A" },
      { kind: "unreadable", reason: expect.any(String) as string },
    ],
    [
      { type: 1, arguments: [] },
      { kind: "unreadable", reason: expect.any(String) as string },
    ],
    [{ target: "A" }, { kind: "unreadable", reason: expect.any(String) as string }],
  ])("%j", (message, parsed) => {
    expect(parseClientMessage(JSON.stringify(message))).toEqual(parsed);
  });

  test("may be no JSON", () => {
    expect(parseClientMessage("{")).toEqual({ kind: "unreadable", reason: "Invalid JSON" });
  });
});

test("what a hub says ends with its character", () => {
  expect(invocation("A", [1])).toBe(`{"type":1,"target":"A","arguments":[1]}${END}`);
  expect(completion("4", { result: null })).toBe(
    `{"type":3,"invocationId":"4","result":null}${END}`,
  );
  expect(completion("4", { error: "No" })).toBe(`{"type":3,"invocationId":"4","error":"No"}${END}`);
  expect(closing({ allowReconnect: true })).toBe(`{"type":7,"allowReconnect":true}${END}`);
});
