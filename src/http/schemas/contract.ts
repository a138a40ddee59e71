import { Type } from "@sinclair/typebox";

export const ContractsReply = Type.Object(
  {
    contracts: Type.Array(
      Type.Object(
        {
          root: Type.String({ examples: ["MNQ"] }),
          name: Type.String(),
          exchange: Type.String(),
          currency: Type.String({ examples: ["USD"] }),
          tickSize: Type.Number({ description: "The step of its prices" }),
          tickValue: Type.Number({
            description: "What one such step of one contract is worth in the currency",
          }),
        },
        { title: "FuturesRoot" },
      ),
    ),
  },
  { title: "FuturesRoots" },
);

export const CONTRACTS = {
  contracts: [
    {
      root: "MNQ",
      name: "Micro E-mini Nasdaq-100",
      exchange: "CME",
      currency: "USD",
      tickSize: 0.25,
      tickValue: 0.5,
    },
  ],
};
