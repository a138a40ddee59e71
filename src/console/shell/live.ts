import { signal } from "@preact/signals";

/** How each connection stands, by the gateway's own stream; empty until it has told. */
export const connectionStates = signal<ReadonlyMap<string, string>>(new Map());

/** Whether the stream is up: what is shown is kept up to date by it only then. */
export const isStreamUp = signal(false);

/** `marks` is what moves with prices, once a second: only who shows prices asks again then. */
export type ChangeKind = "positions" | "orders" | "alerts" | "overview" | "marks";

/** What the stream says is old now; of every account where it names none. */
interface Change {
  readonly accountId: string | null;
  readonly what: readonly ChangeKind[];
}

/** Which changes matter to something that is shown. */
export interface ChangeFilter {
  readonly what: readonly ChangeKind[];
  /** Of one account; null: only what is said of no account in particular. Absent: of any. */
  readonly accountId?: string | null;
}

interface StreamItem {
  readonly type: "snapshot" | "status" | "changed" | "heartbeat";
  readonly connectionId?: string;
  readonly status?: string;
  readonly changes?: readonly Change[];
}

const listeners = new Set<(change: Change) => void>();

/** Calls back after each change that matters; returns what ends it. */
export function onChange({ what, accountId }: ChangeFilter, look: () => void): () => void {
  const listener = (change: Change) => {
    const isAbout =
      accountId === undefined || change.accountId === null || change.accountId === accountId;
    if (isAbout && change.what.some((kind) => what.includes(kind))) look();
  };
  listeners.add(listener);
  return () => listeners.delete(listener);
}

const publish = (change: Change) => listeners.forEach((listener) => listener(change));

const ALL: Change = {
  accountId: null,
  what: ["positions", "orders", "alerts", "overview", "marks"],
};
/** What is said of an account depends on whether its connection is up. */
const OF_CONNECTION: Change = {
  accountId: null,
  what: ["positions", "orders", "overview", "marks"],
};

/** Three heartbeats: a stream that is silent for so long is no stream. */
const SILENT_AFTER_MS = 45_000;
const OPEN_AGAIN_MS = 5_000;

/** Follows the stream until the answer is called. */
export function followChanges(): () => void {
  let stream: EventSource;
  let timer = 0;
  const isDown = () => {
    isStreamUp.value = false;
    // A browser reconnects by itself unless it was answered with a refusal.
    if (stream.readyState === EventSource.CLOSED) {
      clearTimeout(timer);
      timer = window.setTimeout(open, OPEN_AGAIN_MS);
    }
  };
  const isSilent = () => {
    stream.close();
    isDown();
  };
  const onMessage = () => {
    isStreamUp.value = true;
    clearTimeout(timer);
    timer = window.setTimeout(isSilent, SILENT_AFTER_MS);
  };
  const open = () => {
    stream = openStream({ onMessage, isDown });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream.close();
    isStreamUp.value = false;
  };
}

function openStream({
  onMessage,
  isDown,
}: Record<"onMessage" | "isDown", () => void>): EventSource {
  const stream = new EventSource("/v1/stream");
  stream.addEventListener("open", () => {
    connectionStates.value = new Map();
    onMessage();
    // What changed while nobody listened was not told.
    publish(ALL);
  });
  stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
    onMessage();
    const item = JSON.parse(data) as StreamItem;
    item.changes?.forEach(publish);
    if (item.connectionId === undefined || item.status === undefined) return;
    connectionStates.value = new Map(connectionStates.value).set(item.connectionId, item.status);
    if (item.type === "status") publish(OF_CONNECTION);
  });
  stream.addEventListener("error", isDown);
  return stream;
}
