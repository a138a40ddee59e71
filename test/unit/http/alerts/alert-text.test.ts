import { describe, expect, test } from "vitest";
import { readAlertText, unresolvedPlaceholders } from "../../../../src/http/alerts/alert-text.ts";

const one = (form: string, fields: object) => ({
  ok: true,
  form,
  alerts: [fields],
  isArray: false,
});

/** What is wrong, as `path message`. */
function wrongs(body: string): readonly string[] {
  const text = readAlertText(body);
  return text.ok ? [] : text.problems.map(({ path, message }) => `${path} ${message}`);
}

describe("JSON", () => {
  test.each([
    ['{"action":"buy","qty":1}', { action: "buy", qty: 1 }],
    [' \r\n\t{"action":"buy"}\r\n\n', { action: "buy" }],
    ['{"a":{"b":[null,true]}}', { a: { b: [null, true] } }],
    ["{}", {}],
  ])("%j is one alert", (body, fields) => {
    expect(readAlertText(body)).toEqual(one("json", fields));
  });

  test.each([
    ['\ufeff{"action":"buy"}', { action: "buy" }],
    ['\u200b{"action":\u00a0"buy",\u200b"qty":\u202f1}\u2060', { action: "buy", qty: 1 }],
    ["{“action”: “buy”, „symbol“: “ES1!”}", { action: "buy", symbol: "ES1!" }],
    ['{"action":"buy","comment":"“so”"}', { action: "buy", comment: "“so”" }],
    [
      '{"symbol":"={"symbol":"CME_MINI:ES1!","session":"extended"}","action":"buy"}',
      { symbol: '={"symbol":"CME_MINI:ES1!","session":"extended"}', action: "buy" },
    ],
  ])("%j is what it was pasted from", (body, fields) => {
    expect(readAlertText(body)).toEqual(one("json", fields));
  });

  test.each([
    ['{“action”: “say "no"”}', /unexpected "“", a curly quote, at line 1, column 2$/],
    ["{‘action’: ‘buy’}", /unexpected "‘", a curly quote, at line 1, column 2$/],
    ['{"action":b\u200buy}', /unexpected "b", at line 1, column 11$/],
  ])("%j can be read in no way, and is refused where it is wrong", (body, expected) => {
    expect(wrongs(body)).toEqual([expect.stringMatching(expected)]);
  });

  test("an array is several alerts in its order, and one of one alert is an array still", () => {
    expect(readAlertText('[{"n":1},{"n":2}]')).toEqual({
      ok: true,
      form: "json",
      alerts: [{ n: 1 }, { n: 2 }],
      isArray: true,
    });
    expect(readAlertText(' [{"n":1}]\n')).toMatchObject({ alerts: [{ n: 1 }], isArray: true });
  });

  test.each([
    ['{"action":"buy" "symbol":"ES"}', /unexpected "\\"", at line 1, column 17$/],
    ['{\n  "action": "buy",\n  "qty": 1,\n}', /unexpected "}", at line 4, column 1$/],
    ['\n\n  {"action": buy}', /unexpected "buy", at line 3, column 14$/],
    ["{'action':'buy'}", /unexpected "'", at line 1, column 2$/],
    ['{"action":"buy"', /ends too early, at line 1, column 16$/],
    ['{"action":"buy}', /a string is not closed, at line 1, column 16$/],
    ['{"action":"buy"} {"action":"sell"}', /unexpected "{", at line 1, column 18$/],
    ['{"action":"b\nuy"}', /control character, at line 1, column 13$/],
    ['{"a":"\\x"}', /unknown escape, at line 1, column 6$/],
    ['{"💥":1,}', /unexpected "}", at line 1, column 9$/],
    ["[".repeat(40), /nested deeper than 16 levels, at line 1, column 17$/],
  ])("%j is refused where it is wrong", (body, expected) => {
    expect(wrongs(body)).toEqual([expect.stringMatching(expected)]);
  });

  test.each([
    ['{"qty":1,"qty":2}', ["qty is given more than once"]],
    ['{"a":{"b":1,"b":2},"a":3}', ["a.b is given more than once", "a is given more than once"]],
    ['{"__proto__":{"qty":1}}', ["__proto__ is not a known field"]],
    ['{"qty":1e999}', ["qty is too large a number"]],
    ['[{"a":1},{"a":1,"a":2}]', ["1.a is given more than once"]],
    ['[{"a":1},5,{"b":2},null]', ["1 must be a JSON object", "3 must be a JSON object"]],
    ['[[{"a":1}]]', ["0 must be a JSON object"]],
    ["[]", ["body is an empty array"]],
    ['"buy ES"', ["body must be a JSON object, or an array of them"]],
  ])("%j is refused: which of two was meant is not ours to guess", (body, expected) => {
    expect(wrongs(body)).toEqual(expected);
  });

  test("at most 20 alerts are one message", () => {
    const many = (count: number) => JSON.stringify(Array.from({ length: count }, () => ({})));
    expect(readAlertText(many(20))).toMatchObject({ ok: true });
    expect(wrongs(many(21))).toEqual(["body holds more than 20 alerts"]);
  });
});

describe("pairs", () => {
  const buyOne = { action: "buy", symbol: "ES1!", qty: "1" };

  test.each([
    "action=buy;symbol=ES1!;qty=1",
    "action=buy;symbol=ES1!;qty=1;",
    " action = buy ;\n symbol = ES1! ;\r\n qty = 1 ; \r\n",
    "action=buy\nsymbol=ES1!\nqty=1\n",
    "action=buy\r\n\r\nsymbol=ES1!\r\nqty=1",
    "action=buy,symbol=ES1!,qty=1",
    "\ufeffaction=buy;symbol=ES1!;qty=1",
    'action="buy";symbol="ES1!";qty="1"',
    "action=buy;;symbol=ES1!;qty=1;;",
  ])("%j is one alert", (body) => {
    expect(readAlertText(body)).toEqual(one("pairs", buyOne));
  });

  test.each([
    ["account=a,b;qty=1", { account: "a,b", qty: "1" }],
    ["require_market_position=flat,long", { require_market_position: "flat,long" }],
    ["comment=a=b;qty=1", { comment: "a=b", qty: "1" }],
    ["qty=;symbol=ES", { qty: "", symbol: "ES" }],
    ['comment="say "hi"";qty=1', { comment: 'say "hi"', qty: "1" }],
    ["constructor=1;toString=2", { constructor: "1", toString: "2" }],
  ])("%j keeps its values as they are", (body, fields) => {
    expect(readAlertText(body)).toEqual(one("pairs", fields));
  });

  test.each([
    ["action=buy;ES1!;qty=1", ["body is not readable: expected name=value, at line 1, column 12"]],
    [
      "action=buy\n\n  what?\nqty=1",
      ["body is not readable: expected name=value, at line 3, column 3"],
    ],
    ["action=buy;=5", ["body is not readable: expected name=value, at line 1, column 12"]],
    ["action=buy;__proto__=5", ["body is not readable: expected name=value, at line 1, column 12"]],
    ["action=buy;a b=5", ["body is not readable: expected name=value, at line 1, column 12"]],
    ["qty=1;qty=2", ["qty is given more than once"]],
    ["qty=1\nqty=1", ["qty is given more than once"]],
  ])("%j is refused where it is wrong", (body, expected) => {
    expect(wrongs(body)).toEqual(expected);
  });

  test("at most 200 fields are one alert", () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => `f${n}=1`).join(";");
    expect(readAlertText(many(200))).toMatchObject({ ok: true });
    expect(wrongs(many(201))).toEqual(["body holds more than 200 fields"]);
  });
});

describe("a web form", () => {
  const buyOne = { action: "buy", symbol: "ES1!", qty: "1" };

  test.each([
    "action=buy&symbol=ES1%21&qty=1",
    "action=buy&symbol=ES1!&qty=1\n",
    "\u200baction=buy&symbol=+ES1%21+&qty=1",
  ])("%j is one alert", (body) => {
    expect(readAlertText(body)).toEqual(one("pairs", buyOne));
  });

  test.each([
    ["comment=R%26B+%C3%A9&qty=1", { comment: "R&B é", qty: "1" }],
    ["comment=5%&note=%zz%ff&qty=1", { comment: "5%", note: "%zz%ff", qty: "1" }],
    ["comment=R&B", { comment: "R&B" }],
    ["comment=a&b=c;qty=1", { comment: "a&b=c", qty: "1" }],
  ])("%j has these values", (body, fields) => {
    expect(readAlertText(body)).toEqual(one("pairs", fields));
  });

  test.each([
    "payload=%7B%22action%22%3A%22buy%22%2C%22qty%22%3A1%7D",
    'payload={"action":"buy","qty":1}',
    'message={"action":"buy",\n"qty":1}\n',
    "data=%7B%22action%22%3A+%22buy%22%2C+%22qty%22%3A+1%7D",
  ])("%j holds a message in JSON", (body) => {
    expect(readAlertText(body)).toEqual(one("json", { action: "buy", qty: 1 }));
  });

  test.each([
    ["qty=1&qty=2", ["qty is given more than once"]],
    ["payload=%7B%22action%22%7D", [expect.stringContaining("body is not valid JSON")]],
  ])("%j is refused where it is wrong", (body, expected) => {
    expect(wrongs(body)).toEqual(expected);
  });
});

describe("the comma form", () => {
  const first = { license: "60123", command: "buy", symbol: "ES1!" };

  test.each([
    ["60123,buy,ES1!", first],
    ["60123,buy,ES1!,vol_lots=1,sl_price=5000", { ...first, vol_lots: "1", sl_price: "5000" }],
    [' 60123 , buy , ES1! , comment="a" \r\n', { ...first, comment: "a" }],
    ["60123,buy,ES1!,vol_lots=1;\n", { ...first, vol_lots: "1" }],
    ["60123,buy,ES1!,", first],
  ])("%j begins with a licence id", (body, fields) => {
    expect(readAlertText(body)).toEqual(one("csv", fields));
  });

  test.each([
    ["60123,buy", ["body is neither JSON nor name=value pairs"]],
    ["60123,buy,ES1!,1", ["body is not readable: expected name=value, at line 1, column 16"]],
    ["60123,buy,ES1!,license=5", ["license is given more than once"]],
    ["60123,buy,ES1!,qty=1,qty=1", ["qty is given more than once"]],
  ])("%j is refused where it is wrong", (body, expected) => {
    expect(wrongs(body)).toEqual(expected.map((start) => expect.stringContaining(start)));
  });
});

describe("what is none of these", () => {
  test.each(["", " ", "\r\n", "\ufeff"])("%j is empty", (body) => {
    expect(wrongs(body)).toEqual(["body is empty"]);
  });

  test.each([
    "MNQ1! Crossing 20000",
    "ES1!, 5 Crossing 4,500.25",
    "ES1! Crossing Up 4500",
    "CL1!, 1h Greater Than 80",
    "NQ1! Exiting Channel",
    "MACD Strategy (12, 26, 9): order buy @ 1 filled on ES1!. New strategy position is 1",
  ])("%j is named as the platform's own text, with what to write", (body) => {
    expect(wrongs(body)).toEqual([
      'body is the text that the charting platform writes by itself, and names no order: write one into the message of the alert, such as {"action": "buy", "symbol": "MNQ1!", "qty": 1}',
    ]);
  });

  test("the same words in a message are no matter", () => {
    expect(readAlertText("action=buy;comment=ES1! Crossing 5")).toMatchObject({ ok: true });
    expect(readAlertText('{"comment":"ES1! Crossing 5"}')).toMatchObject({ ok: true });
  });

  test.each([
    ["buy ES", "line 1, column 1"],
    ["\n\n  Crossing 5000", "line 3, column 3"],
    ["buy", "line 1, column 1"],
  ])("%j is told how an alert starts, and where it did not", (body, place) => {
    const [said = ""] = wrongs(body);
    expect(said).toContain('an alert starts like {"action": or action=buy;');
    expect(said.endsWith(`, at ${place}`)).toBe(true);
  });
});

describe("placeholders that nobody filled in", () => {
  const found = (text: string) => unresolvedPlaceholders(text).map(({ message }) => message);

  test.each([
    [
      '{"action":"{{strategy.order.action}}"}',
      ["{{strategy.order.action}} was not filled in, at line 1, column 12"],
    ],
    [
      'symbol={{ticker}}\nqty={{plot("size")}}',
      [
        "{{ticker}} was not filled in, at line 1, column 8",
        '{{plot("size")}} was not filled in, at line 2, column 5',
      ],
    ],
    ["{{}}", ["{{}} was not filled in, at line 1, column 1"]],
    ["{{{ticker}}}", ["{{ticker}} was not filled in, at line 1, column 2"]],
  ])("%j: each by its name and place", (text, expected) => {
    expect(found(text)).toEqual(expected);
  });

  test.each(["", "{ticker}", "{{", "}}{{", '{"a":{"b":{}}}', '{"a":{"b":1}}'])(
    "%j holds none",
    (text) => {
      expect(found(text)).toEqual([]);
    },
  );

  test("at most ten are named", () => {
    expect(found("{{x}} ".repeat(30)).length).toBe(10);
  });
});
