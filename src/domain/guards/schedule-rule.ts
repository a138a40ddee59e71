export type WeekdayName = "mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun";
/** "HH:MM" or "HH:MM:SS". */
export type LocalTime = string;
export type Forbids = "entries" | "orders" | "positions";

export type ScheduleRule =
  | {
      readonly kind: "window";
      readonly zone: string;
      readonly windows: readonly {
        readonly days: readonly WeekdayName[];
        readonly from: LocalTime;
        readonly to: LocalTime;
      }[];
    }
  | {
      readonly kind: "flatBy";
      readonly zone: string;
      readonly time: LocalTime;
      readonly days?: readonly WeekdayName[];
      readonly roots?: readonly string[];
      readonly entriesOffMinutes: number;
      readonly flattenSeconds: number;
      readonly resumes?: LocalTime;
    }
  | {
      readonly kind: "flatBeforeClose";
      readonly before: "day" | "week" | "holiday";
      readonly seconds: number;
      readonly entriesOffMinutes: number;
      readonly roots?: readonly string[];
    }
  | {
      readonly kind: "flatBeforeRoll";
      readonly businessDays: number;
      readonly of: "roll" | "lastTrade";
    }
  | {
      readonly kind: "news";
      readonly calendar: string;
      readonly titles?: readonly string[];
      readonly impacts?: readonly ("low" | "medium" | "high" | "holiday")[];
      readonly currencies?: readonly string[];
      readonly roots?: readonly string[];
      readonly beforeSeconds: number;
      readonly afterSeconds: number;
      readonly forbids: Forbids;
      readonly whenExpired: "tell" | "refuse";
    };

export interface Restriction {
  readonly forbids: Forbids;
  readonly since: number;
  readonly until: number;
  readonly reason: string;
}
