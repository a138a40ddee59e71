import { charactersIn, type HttpService, json } from "./service.ts";

export const APP_TOKEN = "azGDORePK8gMaC0QOYAMyEEuzJnyUi";
export const USER_KEY = "uQiRzpo4DXghDmr9QzzfQu27cmVRsG";

const LIMITS = { title: 250, message: 1_024 };
const QUOTA = { "x-limit-app-limit": "10000", "x-limit-app-remaining": "7496" };
const REQUEST = "647d2300-702c-4b38-8b2f-d56326ae460b";

/** "Pushover Message API" and its "Being friendly to our API". */
export const pushover: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/1/"),
  answer: ({ method, url, body }) => {
    if (method !== "POST" || url.pathname !== "/1/messages.json") return json(404, { status: 0 });
    const form = new URLSearchParams(body);
    const message = form.get("message") ?? "";
    if (form.get("token") !== APP_TOKEN) return invalid("token", "application token is invalid");
    if (form.get("user") !== USER_KEY) {
      return invalid("user", "user identifier is not a valid user");
    }
    if (message === "") return invalid("message", "message cannot be blank");
    if (charactersIn(message) > LIMITS.message) return invalid("message", "message is too long");
    if (charactersIn(form.get("title") ?? "") > LIMITS.title) {
      return invalid("title", "title is too long");
    }
    const priority = Number(form.get("priority") ?? 0);
    if (priority === 2 && !form.has("retry")) return invalid("retry", "retry must be supplied");
    if (![-2, -1, 0, 1, 2].includes(priority)) return invalid("priority", "priority is invalid");
    return json(200, { status: 1, request: REQUEST }, QUOTA);
  },
  throttle: (seconds) =>
    json(
      429,
      { status: 0, errors: ["application is over its monthly limit"], request: REQUEST },
      {
        ...QUOTA,
        "x-limit-app-remaining": "0",
        "x-limit-app-reset": String(Math.ceil(Date.now() / 1_000) + seconds),
      },
    ),
  gone: () => invalid("user", "user identifier is not a valid user"),
  refuse: () => invalid("message", "message cannot be blank"),
};

const invalid = (field: string, says: string) =>
  json(400, { [field]: "invalid", errors: [says], status: 0, request: REQUEST }, QUOTA);
