import { marked } from "marked";

const BEGINS_AT = "\n# Runbook\n";

/**
 * The runbook as a page that Prometheus serves itself: who is woken by an alarm opens its link, also
 * while the gateway and Grafana are down.
 */
export function runbookPage(readme: string): string {
  const at = readme.indexOf(BEGINS_AT);
  if (at < 0) throw new Error("grafana/README.md has no runbook");
  const text = readme.slice(at);
  // Prometheus reads its pages as templates, and would run what stands in such brackets.
  if (text.includes("{{")) throw new Error("The runbook must not hold a template's brackets");
  const body = marked.parse(text, { async: false, gfm: true });
  const linked = body.replaceAll(/<h2>(.*?)<\/h2>/g, (_, title: string) => {
    const id = sectionOf(title);
    return `<h2 id="${id}">${title}</h2>`;
  });
  return page(linked);
}

/** As the rules name a section, and as the hosts of repositories do. */
const sectionOf = (title: string) => title.toLowerCase().replaceAll(" ", "-");

const page = (body: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Runbook of the gateway's alarms</title>
<style>
body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 2rem auto; padding: 0 1rem; }
h2 { margin-top: 2.5rem; }
h2:target { background: #fff3b0; }
code { background: #f0f0f0; padding: 0 .2em; }
</style>
</head>
<body>
${body}</body>
</html>
`;
