import type { ProjectXHosts } from "./urls.ts";

/** A firm whose accounts are at ProjectX, and where its service is. */
export interface ProjectXFirm extends ProjectXHosts {
  readonly label: string;
  /** `OFF`: by the firm's own documents; `COM`: by several programs that others have published. */
  readonly grade: "OFF" | "COM";
  /** When that was looked up, ISO. */
  readonly asOf: string;
}

const LOOKED_UP = "2026-11-27";

/** Every firm but Topstep has its service at addresses of one form. */
const listed = (label: string, host: string): ProjectXFirm => ({
  label,
  api: `https://api.${host}.projectx.com`,
  rtc: `https://rtc.${host}.projectx.com`,
  grade: "COM",
  asOf: LOOKED_UP,
});

/** By the word that a connection's settings have. */
export const FIRMS = {
  topstep: {
    label: "Topstep (TopstepX)",
    api: "https://api.topstepx.com",
    rtc: "https://rtc.topstepx.com",
    grade: "OFF",
    asOf: LOOKED_UP,
  },
  alphaTicks: listed("Alpha Ticks", "alphaticks"),
  blueGuardian: listed("Blue Guardian Futures", "blueguardianfutures"),
  blusky: listed("Blusky", "blusky"),
  e8: listed("E8", "e8"),
  fundingFutures: listed("Funding Futures", "fundingfutures"),
  theFuturesDesk: listed("The Futures Desk", "thefuturesdesk"),
  futuresElite: listed("Futures Elite", "futureselite"),
  fxify: listed("FXIFY Futures", "fxifyfutures"),
  goatFunded: listed("Goat Funded Futures", "goatfundedfutures"),
  tickTickTrader: listed("TickTickTrader", "tickticktrader"),
  topOneFutures: listed("Top One Futures", "toponefutures"),
  tx3: listed("TX3 Funding", "tx3funding"),
} as const satisfies Readonly<Record<string, ProjectXFirm>>;

export type FirmName = keyof typeof FIRMS;

/** ProjectX's own service for trying things out [OFF]: a world of its own, which no firm has accounts in. */
export const DEMO_HOSTS: ProjectXHosts = {
  api: "https://gateway-api-demo.s2f.projectx.com",
  rtc: "https://gateway-rtc-demo.s2f.projectx.com",
};
