import { expect, test } from "vitest";
import { holdsClosingWord } from "../../../src/domain/closing-words.ts";

test.each([
  '{"action":"close","symbol":"ESX"}',
  '{"action": "exit_long", "tv_instrument": "ES1!"}',
  '{"symbol":"ES1!","data":"CLOSE"',
  '{"action":"sell","comment":"say "hi"","market_position":"flat"}',
  '{"position":0,"symbol":"{{ticker}}"}',
  '{"position_size": "0.00"}',
  "key=***;command=FLATTENEVERYTHING",
  "key=***; command = closeposition ; instrument=",
  "action=reduce\nsymbol=ES",
  "***,closelong,MNQ1!,vol_lots=1",
  "***,exitlong,MNQ1!",
  '{"isClose": true, "pair": "X"}',
  '{"closePosition":"yes","symbol":"ES"}',
  '{"body":"{\\"action\\":\\"close\\"}"}',
  "Close ES now",
  "Exit long ES1!",
  "order sell @ 1 filled on ES1!. New strategy position is 0",
])("%s may have asked for a way out", (body) => {
  expect(holdsClosingWord(body)).toBe(true);
});

test.each([
  '{"action":"buy","symbol":"ES1!","close":5000.25,"qty":1}',
  '{"action":"buy","prev_market_position":"flat","market_position":"long"}',
  '{"action":"buy","prevMarketPositionSize":0,"position_size":2}',
  "key=***;command=PLACE;action=BUY;flatten_first=true;",
  '{"data":"buy","reverse_order_close":true,"full_closed":"false"}',
  "***,buy,MNQ1!,vol_lots=1",
  "ES1! crossing 5000",
  "order buy @ 1 filled on ES1!. New strategy position is 10",
  "",
])("%s did not", (body) => {
  expect(holdsClosingWord(body)).toBe(false);
});
