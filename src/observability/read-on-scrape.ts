import { Gauge, type Registry } from "prom-client";

/** A gauge whose number is read when Prometheus asks. */
export function readOnScrape(
  registry: Registry,
  read: () => number | undefined | Promise<number>,
  { name, help }: { readonly name: string; readonly help: string },
): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      // An old number would hide that nobody can tell; no number is an alarm of its own.
      this.remove();
      try {
        const value = await read();
        if (value !== undefined) this.set(value);
      } catch {
        return;
      }
    },
  });
}
