/** Where a firm's service is, without slashes at the ends. */
export interface ProjectXHosts {
  /** `https://api.topstepx.com`. */
  readonly api: string;
  /** `https://rtc.topstepx.com`. */
  readonly rtc: string;
}

export interface ProjectXUrls {
  /** Without a slash at its end; paths such as `api/Order/place` follow. */
  readonly rest: string;
  readonly userHub: string;
  readonly marketHub: string;
}

export function projectXUrls({ api, rtc }: ProjectXHosts): ProjectXUrls {
  const [rest, hubs] = [api.replace(/\/+$/, ""), rtc.replace(/\/+$/, "")];
  return { rest, userHub: `${hubs}/hubs/user`, marketHub: `${hubs}/hubs/market` };
}
