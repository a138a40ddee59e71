import type { Socket } from "node:net";
import { hardReset } from "./hard-reset.ts";
import type { ActiveFault, Direction, FaultList } from "./tcp-faults.ts";

/** A run of bytes on its way, and whether the connection is cut on it. */
export interface Parcel {
  readonly bytes: Buffer;
  /** `before`: they are not delivered. `after`: they are, and no answer comes back. */
  readonly cut?: "before" | "after";
}

export interface FlowOptions {
  readonly direction: Direction;
  readonly source: Socket;
  readonly sink: Socket;
  readonly faults: FaultList;
  /** Cuts the whole connection; after a delivery the sink still gets what was sent to it. */
  readonly cut: (when: "before" | "after") => void;
}

/** One direction of a connection: what was read waits in order, and leaves as the faults let it. */
export interface Flow {
  readonly send: (parcel: Parcel) => void;
  /** The source closed: told to the sink after all that was sent before. */
  readonly close: (how: "end" | "reset") => void;
  /** Nothing is delivered any more, nor is a close. */
  readonly stop: () => void;
}

interface Hold {
  readonly by: ActiveFault;
  readonly ms: number;
}

type Entry = {
  readonly arrivedAt: number;
  readonly holds: readonly Hold[];
} & ({ readonly parcel: Parcel } | { readonly close: "end" | "reset" });

/** Above this the source is not read on, so that a slow sink is felt at the other end. */
const MOST_QUEUED_BYTES = 1024 * 1024;
/** A limited bandwidth flows in so many pieces a second. */
const PIECES_PER_SECOND = 50;

export function createFlow({ direction, source, sink, faults, cut }: FlowOptions): Flow {
  const self = {};
  const queue: Entry[] = [];
  let queuedBytes = 0;
  let isPumping = false;
  let isStopped = false;
  let freeAt = 0;

  function stop(): void {
    isStopped = true;
    queue.length = 0;
    source.resume();
    faults.wakeUp.notify();
  }

  function enqueue(entry: Entry): void {
    if (isStopped) return;
    queue.push(entry);
    if (!isPumping) void pump();
  }

  async function pump(): Promise<void> {
    isPumping = true;
    for (let entry = queue.shift(); entry !== undefined; entry = queue.shift()) {
      await untilReleased(entry);
      if (isStopped) break;
      if ("close" in entry) await deliverClose(entry.close);
      else await deliver(entry.parcel);
    }
    isPumping = false;
  }

  /** The faults that hold it back count only while they are on. */
  async function untilReleased({ arrivedAt, holds }: Entry): Promise<void> {
    await faults.wakeUp.until(() => {
      if (isStopped) return 0;
      return holds.reduce((due, { by, ms }) => (by.isOn ? due + ms : due), arrivedAt);
    });
  }

  async function deliver(parcel: Parcel): Promise<void> {
    const toTarget = direction === "toTarget";
    const when = parcel.cut ?? (toTarget ? faults.takeReset(parcel.bytes) : undefined);
    if (when === "before") return cut("before");
    for (let rest = parcel.bytes; rest.length > 0 && !isStopped;) {
      const piece = rest.subarray(0, pieceSize(rest.length));
      rest = rest.subarray(piece.length);
      await pace(piece.length);
      await deliverPiece(piece);
      if (rest.length > 0) await pauseBetweenSlices();
    }
    queuedBytes -= parcel.bytes.length;
    if (when === "after" && !isStopped) return cut("after");
    if (queuedBytes <= MOST_QUEUED_BYTES) source.resume();
  }

  function pieceSize(length: number): number {
    const rates = faults.active("bandwidth", direction);
    const slices = faults.active("slice", direction);
    return Math.min(
      length,
      ...rates.map(({ fault }) => Math.ceil(fault.bytesPerSecond / PIECES_PER_SECOND)),
      ...slices.map(({ fault }) => fault.bytes),
    );
  }

  async function pace(length: number): Promise<void> {
    for (const one of faults.active("bandwidth", direction)) one.hits += 1;
    const startAt = Math.max(performance.now(), freeAt);
    await faults.wakeUp.until(() => {
      const rates = faults.active("bandwidth", direction).map(({ fault }) => fault.bytesPerSecond);
      freeAt = startAt + (length * 1_000) / Math.min(Infinity, ...rates);
      return isStopped ? 0 : freeAt;
    });
  }

  async function pauseBetweenSlices(): Promise<void> {
    for (const one of faults.active("slice", direction)) one.hits += 1;
    const startAt = performance.now();
    await faults.wakeUp.until(() => {
      const pauses = faults.active("slice", direction).map(({ fault }) => fault.delayMs);
      return isStopped ? 0 : startAt + Math.max(0, ...pauses);
    });
  }

  async function deliverPiece(piece: Buffer): Promise<void> {
    if (isStopped || isSwallowed()) return;
    const limits = faults.active("limit", direction);
    const room = limits.map(({ fault, carried }) => fault.bytes - (carried.get(self) ?? 0));
    const allowed = piece.subarray(0, Math.max(0, Math.min(piece.length, ...room)));
    if (!(await write(sink, allowed))) return stop();
    for (const { carried } of limits) {
      carried.set(self, (carried.get(self) ?? 0) + allowed.length);
    }
    const reached = limits.filter(({ fault, carried }) => (carried.get(self) ?? 0) >= fault.bytes);
    for (const one of reached) one.hits += 1;
    if (reached.length > 0 && !isStopped) cut("after");
  }

  function isSwallowed(): boolean {
    const [halfOpen] = faults.active("halfOpen", direction);
    if (halfOpen === undefined) return false;
    halfOpen.hits += 1;
    stop();
    return true;
  }

  async function deliverClose(how: "end" | "reset"): Promise<void> {
    if (isSwallowed()) return;
    if (how === "end") return void sink.end();
    stop();
    hardReset(sink);
  }

  return {
    stop,
    send(parcel) {
      const now = performance.now();
      const holds = faults.active("latency", direction).map((one) => {
        one.hits += 1;
        return { by: one, ms: one.fault.ms + one.random() * (one.fault.jitterMs ?? 0) };
      });
      queuedBytes += parcel.bytes.length;
      if (queuedBytes > MOST_QUEUED_BYTES && !isStopped) source.pause();
      enqueue({ arrivedAt: now, holds, parcel });
    },
    close(how) {
      const holds = faults.active("slowClose", direction).map((one) => {
        one.hits += 1;
        return { by: one, ms: one.fault.ms };
      });
      enqueue({ arrivedAt: performance.now(), holds, close: how });
    },
  };
}

/** Whether the kernel took the bytes. */
function write(sink: Socket, bytes: Buffer): Promise<boolean> {
  if (sink.destroyed) return Promise.resolve(false);
  if (bytes.length === 0) return Promise.resolve(true);
  return new Promise((resolve) => {
    sink.write(bytes, (error) => resolve(error === undefined || error === null));
  });
}
