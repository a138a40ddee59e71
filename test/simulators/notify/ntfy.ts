import { type HttpService, json, lengthOf, parsed } from "./service.ts";

/** Written to with the token alone. */
export const TOPIC = "trades-secret-topic";
export const NTFY_TOKEN = "tk_secretofntfy0123456789";

const LONGEST_BYTES = 4_096;

/** "Publish as JSON", "Limitations" and the server's error codes of ntfy's documents. */
export const ntfy: HttpService = {
  isAsked: ({ method, url }) => method === "POST" && url.pathname === "/",
  answer: ({ headers, body }) => {
    const message = parsed(body);
    if (message === undefined) {
      return error(400, 40_024, "invalid request: request body must be message JSON");
    }
    const { topic, title, message: text, priority = 3 } = message;
    if (typeof topic !== "string" || !/^[-_A-Za-z0-9]{1,64}$/.test(topic)) {
      return error(400, 40_009, "invalid request: topic invalid");
    }
    if (![1, 2, 3, 4, 5].includes(Number(priority))) {
      return error(400, 40_007, "invalid request: priority invalid");
    }
    const { authorization } = headers;
    if (authorization !== undefined && authorization !== `Bearer ${NTFY_TOKEN}`) {
      return error(401, 40_101, "unauthorized");
    }
    if (topic !== TOPIC || authorization === undefined) return ntfy.gone();
    if (typeof text === "string" && Buffer.byteLength(text) > LONGEST_BYTES) {
      return error(400, 40_014, "invalid request: attachments not allowed");
    }
    const shown = lengthOf(text) > 0 ? text : "triggered";
    return json(200, {
      id: "sPs71M8A2T",
      time: 1_700_000_000,
      event: "message",
      topic,
      title,
      message: shown,
    });
  },
  throttle: (seconds) => ({
    ...error(429, 42_901, "limit reached: too many requests"),
    headers: { "content-type": "application/json", "retry-after": String(seconds) },
  }),
  gone: () => error(403, 40_301, "forbidden"),
  refuse: () => error(413, 41_301, "attachment too large, or bandwidth limit reached"),
};

const error = (http: number, code: number, text: string) => json(http, { code, http, error: text });
