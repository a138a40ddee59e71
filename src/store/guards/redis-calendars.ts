import type { EconomicCalendar } from "../../domain/guards/economic-calendar.ts";
import type { UserId } from "../../domain/ids.ts";
import type { CalendarStore } from "../../trading/guards/calendar-ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { changeCalendar } from "./change-calendar.ts";

export const calendarScripts = [changeCalendar];

/** No calendar is called that: names begin with a letter or a digit. */
const VERSION = ":version";

/** Economic calendars in Redis: a hash of each user, by name. */
export function createRedisCalendars({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): CalendarStore {
  const decode = (text: string) => JSON.parse(text) as EconomicCalendar;

  async function change(user: UserId, name: string, calendar: string, most: number) {
    const args = [name, calendar, VERSION, most, keys.calendarChanges];
    return (await runScript(redis, changeCalendar, [keys.calendars(user)], args)) === 1;
  }

  return {
    read: async (user) => {
      const { [VERSION]: _, ...calendars } = await run(redis.hgetall(keys.calendars(user)));
      return Object.values(calendars).map(decode);
    },
    find: async (user, name) => {
      const found = await run(redis.hget(keys.calendars(user), name));
      return found === null ? undefined : decode(found);
    },
    version: async (user) => Number((await run(redis.hget(keys.calendars(user), VERSION))) ?? "0"),
    save: async (user, calendar, most) =>
      await change(user, calendar.name, JSON.stringify(calendar), most),
    remove: async (user, name) => await change(user, name, "", 0),
  };
}
