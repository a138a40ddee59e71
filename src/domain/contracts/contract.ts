import type { Brand } from "../brand.ts";

/** CME month codes, January to December. */
export const MONTH_CODES = "FGHJKMNQUVXZ";

/** One delivery month of one root. The year is always the full one. */
export interface Contract {
  readonly root: string;
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
}

/** A contract with its full year, for example "ESZ2026": the form in which contracts are stored. */
export type ContractCode = Brand<string, "ContractCode">;

const CODE = /^([A-Z0-9]{1,4})([FGHJKMNQUVXZ])(\d{4})$/;

export function contractCode({ root, year, month }: Contract): ContractCode {
  return `${root}${MONTH_CODES.charAt(month - 1)}${year}` as ContractCode;
}

/** Returns undefined for text that is no contract code. */
export function parseContractCode(code: string): Contract | undefined {
  const match = CODE.exec(code);
  if (match === null) return undefined;
  const [, root = "", month = "", year = ""] = match;
  return { root, year: Number(year), month: MONTH_CODES.indexOf(month) + 1 };
}

/** A contract that the broker does not name: what it is cannot be known. */
export const unnamedContract = (brokersId: string): ContractCode => `#${brokersId}` as ContractCode;

export const isUnnamed = (code: ContractCode): boolean => code.startsWith("#");

const CALLED = /^#([A-Z0-9]+)[FGHJKMNQUVXZ]\d{1,2}$/;

/** The root that a code begins with, or that its broker calls it by, though it tells no more. */
export const calledRoot = (code: ContractCode): string =>
  CALLED.exec(code)?.[1] ?? rootOfCode(code);

/** Whether not even the root is known: it may be any. */
export const isNameless = (code: ContractCode): boolean => isUnnamed(code) && !CALLED.test(code);

/** How a code is shown: options and the like are called as their broker calls them. */
export function symbolOfCode(code: ContractCode): string {
  const contract = parseContractCode(code);
  return contract === undefined ? code : contractSymbol(contract);
}

/** The root that a code begins with. */
export function rootOfCode(code: ContractCode): string {
  return parseContractCode(code)?.root ?? code;
}

/** The canonical one-digit-year text, for example "ESZ6": what users and brokers write. */
export function contractSymbol({ root, year, month }: Contract): string {
  return `${root}${MONTH_CODES.charAt(month - 1)}${year % 10}`;
}
