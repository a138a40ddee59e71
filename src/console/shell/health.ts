import { signal } from "@preact/signals";

/** How each connection stands, by the gateway's own stream; empty until it has told. */
export const connectionStates = signal<ReadonlyMap<string, string>>(new Map());

/** Whether the stream is up: what is shown as live is live only then. */
export const isStreamUp = signal(false);

interface HealthItem {
  readonly type: "snapshot" | "status" | "heartbeat";
  readonly connectionId?: string;
  readonly status?: string;
}

/** Three heartbeats: a stream that is silent for so long is no stream. */
const SILENT_AFTER_MS = 45_000;
const OPEN_AGAIN_MS = 5_000;

/** Follows the stream until the answer is called. */
export function followHealth(): () => void {
  let stream: EventSource;
  let timer = 0;
  const isDown = () => {
    isStreamUp.value = false;
    // A browser reconnects by itself unless it was answered with a refusal.
    if (stream.readyState === EventSource.CLOSED) timer = window.setTimeout(open, OPEN_AGAIN_MS);
  };
  const isSilent = () => {
    stream.close();
    isDown();
  };
  const heard = () => {
    isStreamUp.value = true;
    clearTimeout(timer);
    timer = window.setTimeout(isSilent, SILENT_AFTER_MS);
  };
  const open = () => {
    stream = openStream({ heard, isDown });
  };
  open();
  return () => {
    clearTimeout(timer);
    stream.close();
    isStreamUp.value = false;
  };
}

function openStream({ heard, isDown }: Record<"heard" | "isDown", () => void>): EventSource {
  const stream = new EventSource("/v1/connection-health/stream");
  stream.addEventListener("open", () => {
    connectionStates.value = new Map();
    heard();
  });
  stream.addEventListener("message", ({ data }: MessageEvent<string>) => {
    heard();
    const item = JSON.parse(data) as HealthItem;
    if (item.connectionId === undefined || item.status === undefined) return;
    connectionStates.value = new Map(connectionStates.value).set(item.connectionId, item.status);
  });
  stream.addEventListener("error", isDown);
  return stream;
}
