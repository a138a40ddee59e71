import type { ProjectXHosts } from "./urls.ts";

/** A firm whose accounts are at ProjectX, or were, and where its service is. */
export interface ProjectXFirm extends ProjectXHosts {
  readonly label: string;
  /** `OFF`: by ProjectX's own documents; `COM`: by several programs that others have published. */
  readonly grade: "OFF" | "COM";
  /** When that was looked up, ISO. */
  readonly asOf: string;
  /** The day by which ProjectX said that it ends its service for it, ISO. */
  readonly servedUntil?: string;
}

const LOOKED_UP = "2026-11-27";
/**
 * ProjectX announced in November 2025 that it ends its service for other firms than Topstep [COM: Finance
 * Magnates and others quote it]. What answers at their addresses since then is not known.
 */
const END_OF_SERVICE = "2026-02-28";

/** Every firm but Topstep has its service at addresses of one form. */
const listed = (label: string, host: string): ProjectXFirm => ({
  label,
  api: `https://api.${host}.projectx.com`,
  rtc: `https://rtc.${host}.projectx.com`,
  grade: "COM",
  asOf: LOOKED_UP,
});

const former = (label: string, host: string): ProjectXFirm => ({
  ...listed(label, host),
  servedUntil: END_OF_SERVICE,
});

/** By the word that a connection's settings have. */
export const FIRMS = {
  /** The only one that ProjectX's page of addresses still names. */
  topstep: {
    label: "Topstep (TopstepX)",
    api: "https://api.topstepx.com",
    rtc: "https://rtc.topstepx.com",
    grade: "OFF",
    asOf: LOOKED_UP,
  },
  /** Topstep's own since 2026-04-01 [COM]. */
  theFuturesDesk: listed("The Futures Desk", "thefuturesdesk"),
  alphaTicks: former("Alpha Ticks", "alphaticks"),
  blueGuardian: former("Blue Guardian Futures", "blueguardianfutures"),
  blusky: former("Blusky", "blusky"),
  e8: former("E8", "e8"),
  fundingFutures: former("Funding Futures", "fundingfutures"),
  futuresElite: former("Futures Elite", "futureselite"),
  fxify: former("FXIFY Futures", "fxifyfutures"),
  goatFunded: former("Goat Funded Futures", "goatfundedfutures"),
  tickTickTrader: former("TickTickTrader", "tickticktrader"),
  topOneFutures: former("Top One Futures", "toponefutures"),
  tx3: former("TX3 Funding", "tx3funding"),
} as const satisfies Readonly<Record<string, ProjectXFirm>>;

export type FirmName = keyof typeof FIRMS;

export const FIRM_NAMES = Object.keys(FIRMS) as readonly FirmName[];

/** As a person chooses it. */
export function firmLabel(name: FirmName): string {
  const { label, servedUntil }: ProjectXFirm = FIRMS[name];
  return servedUntil === undefined ? label : `${label} (ProjectX: until ${servedUntil})`;
}

const THIS_MACHINE: ReadonlySet<string> = new Set(["127.0.0.1", "localhost", "[::1]"]);

/**
 * Where a connection logs in and where its hubs are. A look-alike that names only one of the two has both
 * there. Throws where that is not on this machine.
 */
export function hostsOf(settings: {
  readonly firm: FirmName;
  readonly restUrl?: string | undefined;
  readonly rtcUrl?: string | undefined;
}): ProjectXHosts {
  const { firm, restUrl, rtcUrl } = settings;
  const local = restUrl ?? rtcUrl;
  if (local === undefined) return FIRMS[firm];
  const hosts = { api: restUrl ?? local, rtc: rtcUrl ?? local };
  // The schema says so too; credentials must not depend on who checked it.
  if (Object.values(hosts).every((url) => THIS_MACHINE.has(new URL(url).hostname))) return hosts;
  throw new Error("restUrl and rtcUrl may point to this machine only");
}
