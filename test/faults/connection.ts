import type { Socket } from "node:net";
import { createFlow, type Flow, type Parcel } from "./flow.ts";
import { hardReset } from "./hard-reset.ts";
import type { Direction, FaultList } from "./tcp-faults.ts";

/** Reads what a connection carries before the TCP faults do, and may hold, change or drop it. */
export interface StreamLayer {
  readonly open: (send: (direction: Direction, parcel: Parcel) => void) => LayerConnection;
  readonly clear: () => void;
}

export interface LayerConnection {
  readonly push: (direction: Direction, bytes: Buffer) => void;
  /** No more bytes come that way: what is held is sent now. */
  readonly end: (direction: Direction) => void;
  /** The connection is gone, and what is held with it. */
  readonly close: () => void;
}

export interface ConnectionOptions {
  readonly client: Socket;
  readonly target: Socket;
  readonly faults: FaultList;
  readonly layer: StreamLayer;
}

export interface Connection {
  /** Resets both sides, whatever is on its way. */
  readonly reset: () => void;
  /** Resolves when both sides are closed. */
  readonly closed: Promise<unknown>;
}

/** Sends on what comes as it is. */
export const PASS_THROUGH: StreamLayer = {
  open: (send) => ({
    push: (direction, bytes) => send(direction, { bytes }),
    end: () => undefined,
    close: () => undefined,
  }),
  clear: () => undefined,
};

/** Joins the two sockets, in both directions, until both are closed. */
export function joinSockets(options: ConnectionOptions): Connection {
  const { client, target, faults } = options;

  function reset(): void {
    flows.toTarget.stop();
    flows.toClient.stop();
    hardReset(client);
    hardReset(target);
  }

  /**
   * The sink is ended, not reset: a reset may overtake what was sent to it and is still on its way. It
   * can then see its answers into nothing until it closes too.
   */
  function cutAfterDelivery(source: Socket, sink: Socket): void {
    flows.toTarget.stop();
    flows.toClient.stop();
    sink.end();
    hardReset(source);
  }

  function flow(direction: Direction, source: Socket, sink: Socket): Flow {
    const cut = (when: "before" | "after") =>
      when === "before" ? reset() : cutAfterDelivery(source, sink);
    return createFlow({ direction, source, sink, faults, cut });
  }

  const flows: Record<Direction, Flow> = {
    toTarget: flow("toTarget", client, target),
    toClient: flow("toClient", target, client),
  };
  const layer = options.layer.open((direction, parcel) => flows[direction].send(parcel));

  function listen(direction: Direction, source: Socket): Promise<void> {
    let hasEnded = false;
    source.setNoDelay(true);
    source.on("data", (bytes: Buffer) => layer.push(direction, bytes));
    source.on("end", () => {
      hasEnded = true;
      layer.end(direction);
      flows[direction].close("end");
    });
    // What went wrong is told to the other side by `close`.
    source.on("error", () => undefined);
    return new Promise((resolve) => {
      source.on("close", (hadError) => {
        if (hadError || !hasEnded) flows[direction].close("reset");
        resolve();
      });
    });
  }

  const closed = Promise.all([listen("toTarget", client), listen("toClient", target)]).then(() => {
    flows.toTarget.stop();
    flows.toClient.stop();
    layer.close();
  });
  return { reset, closed };
}
