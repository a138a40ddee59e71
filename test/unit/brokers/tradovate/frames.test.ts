import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { formatRequest, parseFrame } from "../../../../src/brokers/tradovate/frames.ts";

describe("frames of the socket", () => {
  test("a request is four lines, and its body may have lines of its own", () => {
    const body = { accountSpec: "DEMO1", symbol: "ESZ6" };
    expect(formatRequest(7, { endpoint: "order/placeorder", body })).toBe(
      'order/placeorder\n7\n\n{"accountSpec":"DEMO1","symbol":"ESZ6"}',
    );
    expect(formatRequest(8, { endpoint: "contract/find", query: "name=ESZ6" })).toBe(
      "contract/find\n8\nname=ESZ6\n",
    );
    expect(formatRequest(1, { endpoint: "authorize", body: "the.token" })).toBe(
      "authorize\n1\n\nthe.token",
    );
  });

  test("whatever is asked, whoever splits at the first three line ends gets it back", () => {
    const word = fc.stringMatching(/^[a-z/]{1,20}$/);
    fc.assert(
      fc.property(word, fc.nat(), word, fc.string(), (endpoint, id, query, body) => {
        const [first, second, third, ...rest] = formatRequest(id, { endpoint, query, body }).split(
          "\n",
        );
        expect([first, second, third, rest.join("\n")]).toEqual([endpoint, `${id}`, query, body]);
      }),
    );
  });

  test.each([
    ["o", { kind: "open" }],
    ["h", { kind: "heartbeat" }],
    ['c[3000,"Go away!"]', { kind: "close", reason: '[3000,"Go away!"]' }],
    ["a[]", { kind: "messages", messages: [] }],
  ])("%s is read by its first character", (text, frame) => {
    expect(parseFrame(text)).toEqual(frame);
  });

  test("one frame brings answers and events mixed, in their order", () => {
    const text =
      'a[{"s":200,"i":0,"d":{"orderId":516124640014}},' +
      '{"e":"props","d":{"entityType":"order","eventType":"Created","entity":{"id":1}}},' +
      '{"e":"clock","d":"{}"},{"s":429,"i":9},' +
      '{"e":"shutdown","d":{"reasonCode":"Maintenance","reason":"soon"}}]';
    const frame = parseFrame(text);
    expect(frame).toEqual({
      kind: "messages",
      messages: [
        { kind: "answer", id: 0, answer: { status: 200, data: { orderId: 516_124_640_014 } } },
        {
          kind: "props",
          event: { entityType: "order", eventType: "Created", entity: { id: 1 } },
        },
        { kind: "other" },
        { kind: "answer", id: 9, answer: { status: 429, data: undefined } },
        { kind: "shutdown", reasonCode: "Maintenance", reason: "soon" },
      ],
    });
  });

  test.each(["", "x", "a", "a{}", "a[1]", 'a[{"e":"props","d":{}}]', "a[{}]", 'a[{"e":1}]'])(
    "what is no frame is never taken for one: %j",
    (text) => {
      expect(parseFrame(text)).toBeUndefined();
    },
  );

  test("no text makes it throw", () => {
    const any = fc.oneof(
      fc.string(),
      fc.json().map((json) => `a[${json}]`),
    );
    fc.assert(
      fc.property(any, (text) => {
        expect(() => parseFrame(text)).not.toThrow();
      }),
    );
  });
});
