import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";

/**
 * One closing of the exchange over a weekend, written down by hand: no table of the product is read. The
 * instants are UTC, so that an error of the product's calendar or time zones shows.
 */
export interface Weekend {
  readonly name: string;
  /** A moment at which everything trades, on the last day before. */
  readonly trades: string;
  readonly index: Closing;
  readonly cattle: Closing;
}

interface Closing {
  readonly contract: ContractCode;
  readonly closes: string;
  readonly opens: string;
}

const closing = (contract: string, closes: string, opens: string): Closing => ({
  contract: contract as ContractCode,
  closes: `${closes}Z`,
  opens: `${opens}Z`,
});

export const WEEKENDS: readonly Weekend[] = [
  {
    name: "a weekend",
    trades: "2026-11-20T18:00Z",
    index: closing("MESZ2026", "2026-11-20T22:00", "2026-11-22T23:00"),
    cattle: closing("LEZ2026", "2026-11-20T19:05", "2026-11-23T14:30"),
  },
  {
    name: "a weekend of 50 hours, on which summer time ends",
    trades: "2026-10-30T17:00Z",
    index: closing("MESZ2026", "2026-10-30T21:00", "2026-11-01T23:00"),
    cattle: closing("LEZ2026", "2026-10-30T18:05", "2026-11-02T14:30"),
  },
  {
    name: "a weekend of 48 hours, on which summer time begins",
    trades: "2027-03-12T18:00Z",
    index: closing("MESM2027", "2027-03-12T22:00", "2027-03-14T22:00"),
    cattle: closing("LEM2027", "2027-03-12T19:05", "2027-03-15T13:30"),
  },
  {
    name: "a weekend before a holiday, on which cattle does not trade",
    trades: "2027-01-15T18:00Z",
    index: closing("MESH2027", "2027-01-15T22:00", "2027-01-17T23:00"),
    cattle: closing("LEG2027", "2027-01-15T19:05", "2027-01-19T14:30"),
  },
  {
    name: "a weekend after the early close that follows Thanksgiving",
    trades: "2026-11-27T16:00Z",
    index: closing("MESZ2026", "2026-11-27T18:15", "2026-11-29T23:00"),
    cattle: closing("LEZ2026", "2026-11-27T18:00", "2026-11-30T14:30"),
  },
  {
    name: "a weekend that begins on Thursday, before Good Friday",
    trades: "2027-03-25T17:00Z",
    index: closing("MESM2027", "2027-03-25T21:00", "2027-03-28T22:00"),
    cattle: closing("LEM2027", "2027-03-25T18:05", "2027-03-29T13:30"),
  },
];
