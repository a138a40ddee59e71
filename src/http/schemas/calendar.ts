import { Type } from "@sinclair/typebox";
import { EVENT_IMPACTS } from "../../domain/guards/economic-calendar.ts";
import { CALENDAR_FORMATS } from "../../trading/guards/calendar-ports.ts";
import { choice, Instant, nullable } from "./parts.ts";

export const CalendarName = Type.String({
  minLength: 1,
  maxLength: 40,
  description: "Your name for the calendar: letters, digits, dots, hyphens and underscores",
  examples: ["us-releases"],
});

export const CalendarBody = Type.String({
  title: "CalendarFile",
  description:
    "iCalendar, CSV with the columns start, title, impact, products and currency, or ForexFactory's JSON",
});

export const CalendarQuery = Type.Object(
  {
    zone: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description:
          "The time zone of times that name none (IANA). Without it America/New_York. An iCalendar file that names its own (X-WR-TIMEZONE) is read in that one",
        examples: ["America/New_York"],
      }),
    ),
  },
  { additionalProperties: false },
);

const CalendarEvent = Type.Object(
  {
    start: Instant,
    end: nullable(Instant),
    title: Type.String(),
    impact: nullable(choice(EVENT_IMPACTS)),
    products: nullable(Type.Array(Type.String({ examples: ["CL"] }))),
    currency: nullable(Type.String({ examples: ["USD"] })),
  },
  {
    title: "CalendarEvent",
    description:
      "What was not said is null. An event has an end where its file gives one; one without a time of day takes its day",
    additionalProperties: false,
  },
);

const STANDING = {
  name: CalendarName,
  savedAt: Instant,
  ageSeconds: Type.Integer({ minimum: 0, description: "Since it was saved" }),
  eventCount: Type.Integer({ minimum: 0 }),
  lastEventAt: nullable(Instant),
  nextEvent: nullable(CalendarEvent),
  expiresAt: Type.String({
    format: "date-time",
    description: "A day after its last event, and not before that event ends",
  }),
  isExpired: Type.Boolean({ description: "Nothing is known of news any more" }),
};

const CalendarSummary = Type.Object(STANDING, {
  title: "CalendarSummary",
  additionalProperties: false,
});

export const CalendarsReply = Type.Object(
  { calendars: Type.Array(CalendarSummary) },
  { additionalProperties: false },
);

export const CalendarReply = Type.Object(
  { ...STANDING, events: Type.Array(CalendarEvent) },
  { title: "Calendar", additionalProperties: false },
);

export const SavedCalendarReply = Type.Object(
  {
    ...STANDING,
    format: choice(CALENDAR_FORMATS),
    leftOut: Type.Array(
      Type.Object(
        {
          where: Type.String({ examples: ["line 12"] }),
          title: Type.String(),
          reason: Type.String({ examples: ["repeats: only its first date is kept"] }),
        },
        { additionalProperties: false },
      ),
      { description: "What of the file is not in the calendar" },
    ),
  },
  { title: "SavedCalendar", additionalProperties: false },
);

const NEXT = {
  start: "2026-12-10T13:30:00.000Z",
  end: null,
  title: "Consumer Price Index",
  impact: "high",
  products: null,
  currency: "USD",
} as const;

export const CALENDAR_SUMMARY = {
  name: "us-releases",
  savedAt: "2026-12-01T09:00:00.000Z",
  ageSeconds: 86_400,
  eventCount: 1,
  lastEventAt: NEXT.start,
  nextEvent: NEXT,
  expiresAt: "2026-12-11T13:30:00.000Z",
  isExpired: false,
} as const;

export const CALENDAR = { ...CALENDAR_SUMMARY, events: [NEXT] };

export const SAVED_CALENDAR = { ...CALENDAR_SUMMARY, format: "csv", leftOut: [] } as const;

export const CALENDAR_FILES = {
  csv: [
    "start,title,impact,products,currency",
    "2026-12-10 08:30,Consumer Price Index,high,,USD",
    "2026-12-09 10:30,EIA Crude Oil Stocks,medium,CL MCL,USD",
  ].join("\n"),
};
