const START = "<!-- settings -->";
const END = "<!-- /settings -->";

/** Puts the table between the two markers of a page, which have to be there. */
export function replaceSettingsTable(page: string, table: string): string {
  const start = page.indexOf(START);
  const end = page.indexOf(END);
  if (start < 0 || end < start) throw new Error(`The page needs the markers ${START} and ${END}`);
  return `${page.slice(0, start)}${START}\n\n${table}\n${page.slice(end)}`;
}
