import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  closeFrame,
  endpointName,
  isHeartbeat,
  messageFrame,
  parseRequest,
} from "../../../simulators/tradovate/frames.ts";

describe("a request", () => {
  test.each([
    ["authorize\n0\n\ntoken", { endpoint: "authorize", id: 0, query: "", body: "token" }],
    [
      "contract/find\n8\nname=ESZ6\n",
      { endpoint: "contract/find", id: 8, query: "name=ESZ6", body: "" },
    ],
    [
      'order/placeOrder\n7\n\n{\n  "symbol": "ESZ6"\n}',
      { endpoint: "order/placeorder", id: 7, query: "", body: '{\n  "symbol": "ESZ6"\n}' },
    ],
    ["/account/list\n3", { endpoint: "account/list", id: 3, query: "", body: "" }],
  ])("%j is read", (text, request) => {
    expect(parseRequest(text)).toEqual(request);
  });

  test.each(["", "order/list", "order/list\nx\n\n", "order/list\n-1\n\n", "\n1\n\n"])(
    "%j is none",
    (text) => {
      expect(parseRequest(text)).toBeUndefined();
    },
  );

  test("comes out as it went in, however many lines its body has", () => {
    const line = fc.stringMatching(/^[a-z0-9/=]{1,12}$/);
    const body = fc.array(fc.stringMatching(/^[{}":a-z0-9]{1,12}$/), { minLength: 1 });
    fc.assert(
      fc.property(line, fc.nat(), line, body, (path, id, query, lines) => {
        fc.pre(endpointName(path) !== "");
        const text = [path, id, query, ...lines].join("\n");
        const read = { endpoint: endpointName(path), id, query, body: lines.join("\n") };
        expect(parseRequest(text)).toEqual(read);
      }),
    );
  });
});

test("a heartbeat of a client is an empty list", () => {
  expect(["[]", " []\n"].every(isHeartbeat)).toBe(true);
  expect(["", "[", "[1]", "h"].some(isHeartbeat)).toBe(false);
});

test("messages go out as one list, a close as its code and reason", () => {
  expect(messageFrame([{ s: 200, i: 1 }, { e: "clock" }])).toBe('a[{"s":200,"i":1},{"e":"clock"}]');
  expect(closeFrame(3_000, "Maintenance")).toBe('c[3000,"Maintenance"]');
});

test("a path has no slash around it and no case", () => {
  expect(endpointName("/Order/PlaceOrder/")).toBe("order/placeorder");
});
