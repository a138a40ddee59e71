/** Where the services that have one fixed address are asked. Only a test names other places. */
export interface ServiceBases {
  readonly discord?: string;
  readonly slack?: string;
  readonly telegram?: string;
  readonly pushover?: string;
}

/** The hosts and paths of the addresses that these services hand out. */
const HANDED_OUT = {
  discord: {
    hosts: ["discord.com", "discordapp.com", "ptb.discord.com", "canary.discord.com"],
    path: /^\/api\/(v\d+\/)?webhooks\/\d+\/[\w-]+\/?$/,
    says: "The address must be one of a Discord webhook",
  },
  slack: {
    hosts: ["hooks.slack.com"],
    path: /^\/(services|workflows)\/[\w/-]+$/,
    says: "The address must be one of a Slack webhook",
  },
} as const;

/** Why an address is not one that the service hands out; undefined if it is one. */
export function whyNotOfService(
  service: keyof typeof HANDED_OUT,
  address: string,
): string | undefined {
  const { hosts, path, says } = HANDED_OUT[service];
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== "https:" || url.username !== "" || url.password !== "") return says;
  const isThere = url.port === "" && hosts.some((host) => host === url.hostname);
  return isThere && path.test(url.pathname) ? undefined : says;
}

/** The same path at another place, where one is named. */
export function addressAt(address: string, base: string | undefined): URL {
  const url = new URL(address);
  return base === undefined ? url : new URL(`${url.pathname}${url.search}`, base);
}
