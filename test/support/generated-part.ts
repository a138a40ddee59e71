/** Puts what is generated between the two markers of a page that bear its name and have to be there. */
export function replacePart(page: string, name: "settings" | "contracts", table: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = page.indexOf(open);
  const end = page.indexOf(close);
  if (start < 0 || end < start) throw new Error(`The page needs the markers ${open} and ${close}`);
  return `${page.slice(0, start)}${open}\n\n${table}\n${page.slice(end)}`;
}
