import { amountText, countText, moneyText } from "../../parts/figure-text.ts";
import type { Verdict } from "./types.ts";

type Unit = Verdict["unit"];

/** A figure in its unit. Of a result with its sign; of what there is, such as a room, without. */
export function figureText(value: number, unit: Unit, currency: string, isResult = false): string {
  switch (unit) {
    case "money":
      return isResult ? moneyText(value, currency) : amountText(value, currency);
    case "lots":
      return countText(value, "lot");
    case "percent":
      return `${Number(value.toFixed(2))} %`;
    case "count":
    case "none":
      return String(value);
  }
}
