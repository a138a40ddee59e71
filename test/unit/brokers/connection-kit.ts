import { LACKS_NOTHING } from "../../../src/domain/broker-lacks.ts";
import type { BrokerAdapter, BrokerCapabilities } from "../../../src/brokers/broker-adapter.ts";
import type { ReportListener } from "../../../src/trading/ports.ts";
import { ScriptedBroker } from "../trading/scripted-broker.ts";

interface Session {
  readonly signal: AbortSignal;
  readonly onReady: () => void;
  readonly onWait?: ((ms: number) => void) | undefined;
  readonly break: (error: Error) => void;
}

/** An adapter whose sessions begin and break when a test says so. */
export class ScriptedAdapter extends ScriptedBroker implements BrokerAdapter {
  readonly broker = "scripted";
  readonly environment = "demo";
  readonly capabilities: BrokerCapabilities = {
    nativeBracket: true,
    nativeOco: true,
    trailsFromMarket: true,
    keepsHours: true,
    cancelEndsLinkedLeg: true,
    refusesDuplicates: true,
    lacks: LACKS_NOTHING,
  };
  readonly sessions: Session[] = [];
  readonly listeners = new Set<ReportListener>();
  /** Sessions that cannot even begin fail with this. */
  failure: Error | undefined;
  readiness: "at once" | "by hand" = "at once";

  async runSession({
    signal,
    onReady,
    onWait,
  }: Parameters<BrokerAdapter["runSession"]>[0]): Promise<void> {
    const { failure } = this;
    await new Promise<void>((resolve, reject) => {
      this.sessions.push({ signal, onReady, onWait, break: reject });
      signal.addEventListener("abort", () => resolve(), { once: true });
      if (failure !== undefined) reject(failure);
      else if (signal.aborted) resolve();
      else if (this.readiness === "at once") onReady();
    });
  }

  onReport(listener: ReportListener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
