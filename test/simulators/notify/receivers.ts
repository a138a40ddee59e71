import { type HttpService, plain } from "./service.ts";

export const HOOK_PATH = "/hook/a-secret-of-the-receiver";
export const PING_PATH = "/ping/a-secret-of-the-watcher";

/** A user's own program that takes signed webhooks, and keeps to the standard. */
export const webhook: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/hook/"),
  answer: ({ method }) => (method === "POST" ? plain(204, "") : plain(405, "Only POST")),
  throttle: (seconds) => plain(429, "Later", { "retry-after": String(seconds) }),
  gone: () => plain(410, "Gone"),
  refuse: () => plain(400, "Bad"),
};

/** A watcher that is asked by anything. */
export const heartbeat: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/ping/"),
  answer: () => plain(200, "OK"),
  throttle: (seconds) => plain(429, "Later", { "retry-after": String(seconds) }),
  gone: () => plain(410, "Gone"),
  refuse: () => plain(400, "Bad"),
};
