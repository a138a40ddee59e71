import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { ticks } from "../../../src/domain/contracts/price.ts";
import type { Desk, DeskOutcome } from "./desk.ts";
import type { EventLog } from "./event-log.ts";
import { type Gate, noteOutcome } from "./gate.ts";
import type { Faults, Knob } from "./knobs.ts";

export interface ControlDeps {
  readonly desk: Desk;
  readonly gate: Gate;
  readonly log: EventLog;
  readonly faults: Faults;
  readonly now: () => number;
}

const LARGEST_PAGE = 10_000;

/** Answers `POST /control`, `GET /log` and `GET /state`: the hand and the eye of a test. */
export function createControl(deps: ControlDeps) {
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? "/", "http://control");
    const route = `${request.method} ${url.pathname}`;
    if (route === "POST /control") {
      const knob = parseKnob(await text(request));
      const outcome = knob === undefined ? undefined : turn(deps, knob);
      if (outcome === undefined) reply(response, 400, { reason: "There is no such knob" });
      else reply(response, 200, outcome);
    } else if (route === "GET /log") {
      const page = (name: string, otherwise: number) =>
        Math.max(1, Number(url.searchParams.get(name) ?? otherwise));
      const limit = Math.min(LARGEST_PAGE, page("limit", LARGEST_PAGE));
      const entries = deps.log.page(page("from", 1), limit);
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.end(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(""));
    } else if (route === "GET /state") {
      reply(response, 200, stateOf(deps));
    } else reply(response, 404, { reason: "There is no such page" });
  };
}

/** Undefined for a knob that does not exist. */
function turn(deps: ControlDeps, knob: Knob): DeskOutcome | undefined {
  const { desk, gate, faults, now } = deps;
  switch (knob.knob) {
    case "delay":
      faults.setDelay(knob);
      break;
    case "loseNextAnswer":
      faults.loseNext(knob.connection, knob);
      break;
    case "refuseAtMarket":
      faults.refuseAtMarket(knob.account, knob.times);
      break;
    case "closeSessions":
      gate.closeSessions(knob.connection);
      break;
    case "refuseLogins":
      faults.refusedUntil.set(now() + knob.ms, knob.connection);
      break;
    case "turnAway": {
      const { over = "credentials", reason, connection } = knob;
      faults.turnedAway.set(reason === undefined ? undefined : { over, reason }, connection);
      break;
    }
    case "dropAfterLogin":
      faults.dropsAfterLogin.set(knob.isOn, knob.connection);
      break;
    case "reports":
      faults.reports.set({ order: knob.order, delayMs: knob.delayMs ?? 0 }, knob.connection);
      break;
    case "duplicates":
      faults.duplicates.set(knob.policy, knob.connection);
      break;
    case "names":
      if (knob.areShown) faults.nameless.delete(knob.account);
      else faults.nameless.add(knob.account);
      break;
    case "abilities":
      faults.setAbilities(knob);
      break;
    case "placeOrder":
      return byHand(deps, knob, "submitOrder", () => desk.placeByHand(knob.account, knob.order));
    case "cancelOrder":
      return byHand(deps, knob, knob.knob, () => desk.cancelByHand(knob.account, knob.orderId));
    case "quote": {
      const { contract, bid, ask, bidQty = 1_000, askQty = 1_000 } = knob;
      desk.setQuote(contract, { bid: ticks(bid), ask: ticks(ask), bidQty, askQty });
      break;
    }
    case "active":
      desk.setActive(knob.account, knob.isActive);
      break;
    default:
      return undefined;
  }
  return { kind: "accepted" };
}

function byHand(
  { gate, log }: ControlDeps,
  command: Extract<Knob, { knob: "placeOrder" | "cancelOrder" }>,
  op: string,
  run: () => DeskOutcome,
): DeskOutcome {
  const { account } = command;
  const connection = gate.connectionOf(account);
  // Written first, so that the fills it causes come after it.
  const entry = log.add({ connection, account, op, outcome: "accepted", command });
  const outcome = run();
  noteOutcome(entry, outcome);
  return outcome;
}

function stateOf({ desk }: ControlDeps) {
  return { accounts: Object.fromEntries(desk.accounts().map((id) => [id, desk.view(id)])) };
}

function parseKnob(body: string): Knob | undefined {
  try {
    return JSON.parse(body) as Knob;
  } catch {
    return undefined;
  }
}

function reply(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { "content-type": "application/json" });
  response.end(JSON.stringify(body));
}
