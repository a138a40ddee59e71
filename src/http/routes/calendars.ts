import { isTimeZone } from "../../domain/calendar/local-time.ts";
import { errors } from "../../errors.ts";
import { CALENDAR_BYTES } from "../../trading/guards/calendar-uses.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { presentCalendar, presentEvent } from "../present/calendar.ts";
import { calendarOf } from "../requests/path-ids.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import {
  CALENDAR,
  CALENDAR_FILES,
  CALENDAR_SUMMARY,
  CalendarBody,
  CalendarName,
  CalendarQuery,
  CalendarReply,
  CalendarsReply,
  SAVED_CALENDAR,
  SavedCalendarReply,
} from "../schemas/calendar.ts";

const TAG = "Calendars";
/** As statistical offices of the United States publish theirs. */
const ZONE = "America/New_York";

/** What news guards know: files that a user gives, and nothing that is fetched. */
export function calendarRoutes({ gateway }: { readonly gateway: Gateway }): ApiRoute[] {
  return [listing(gateway), ...single(gateway)];
}

function listing(gateway: Gateway): ApiRoute {
  return apiRoute({
    method: "GET",
    path: "/v1/calendars",
    id: "listCalendars",
    effect: "read",
    tag: TAG,
    summary: "List economic calendars, and how up to date each is",
    scope: "read",
    replies: [
      {
        status: 200,
        description: "Every calendar, by name",
        schema: CalendarsReply,
        example: { calendars: [CALENDAR_SUMMARY] },
      },
    ],
    errors: [],
    async handle({ caller }) {
      const views = await gateway.listCalendars(caller);
      return { status: 200, body: { calendars: views.map(presentCalendar) } };
    },
  });
}

function single(gateway: Gateway): ApiRoute[] {
  const shared = {
    path: "/v1/calendars/{name}",
    tag: TAG,
    params: { name: CalendarName },
  } as const;
  return [
    apiRoute({
      ...shared,
      method: "GET",
      id: "readCalendar",
      effect: "read",
      summary: "Read an economic calendar with its events",
      scope: "read",
      replies: [
        { status: 200, description: "The calendar", schema: CalendarReply, example: CALENDAR },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const view = await gateway.findCalendar(caller, calendarOf(params));
        const events = view.calendar.events.map(presentEvent);
        return { status: 200, body: { ...presentCalendar(view), events } };
      },
    }),
    apiRoute({
      ...shared,
      method: "PUT",
      id: "saveCalendar",
      effect: "change",
      audit: { message: "Calendar saved" },
      summary: "Save an economic calendar, in place of one of this name",
      description:
        "The body is the file, of any content type, up to 512 KiB and 5,000 events. If any line cannot be read, nothing is changed, and details name it; reading stops at the fiftieth. The answer says what was left out on purpose: cancelled events, doubles, and the repetitions of one that repeats. An event that a hard guard waits for on the present trading day cannot be left out (CALENDAR_HELD); adding events is free.",
      scope: "manage",
      query: CalendarQuery,
      takesText: true,
      bodyLimit: CALENDAR_BYTES,
      bodyType: "text/plain",
      body: CalendarBody,
      bodyExamples: CALENDAR_FILES,
      replies: [
        {
          status: 200,
          description: "How it stands, and what of the file is not in it",
          schema: SavedCalendarReply,
          example: SAVED_CALENDAR,
        },
      ],
      errors: ["CALENDAR_HELD", "TOO_MANY_CALENDARS"],
      async handle({ caller, params, query: { zone = ZONE }, body }) {
        const name = calendarOf(params);
        if (!isTimeZone(zone)) {
          const message = "must be an IANA time zone such as America/New_York";
          throw errors.validationFailed([{ path: "zone", message }]);
        }
        const text = typeof body === "string" ? body : "";
        const saved = await gateway.saveCalendar(caller, name, { text, zone });
        const { format, leftOut } = saved;
        return {
          status: 200,
          body: { ...presentCalendar(saved), format, leftOut },
          changed: { kind: format, count: saved.calendar.events.length },
        };
      },
    }),
    apiRoute({
      ...shared,
      method: "DELETE",
      id: "deleteCalendar",
      effect: "change",
      audit: { message: "Calendar deleted" },
      summary: "Delete an economic calendar",
      description:
        "A guard that names it knows no news any more, as if the calendar had ended. While a hard guard waits for one of its events on the present trading day, it is not deleted (CALENDAR_HELD).",
      scope: "manage",
      replies: [{ status: 204, description: "It is gone" }],
      errors: ["NOT_FOUND", "CALENDAR_HELD"],
      async handle({ caller, params }) {
        await gateway.removeCalendar(caller, calendarOf(params));
        return { status: 204, changed: {} };
      },
    }),
  ];
}
