import type { Product } from "../../domain/contracts/product.ts";
import { type ApiRoute, apiRoute } from "../route.ts";
import { CONTRACTS, ContractsReply } from "../schemas/contract.ts";

export interface ContractRouteDeps {
  readonly products: readonly Product[];
}

/** The contract table: what a tick is, and what it is worth. */
export function contractRoutes({ products }: ContractRouteDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/contracts",
      id: "listContracts",
      tag: "Orders",
      summary: "List the futures that can be traded, with their ticks",
      effect: "read",
      scope: "read",
      replies: [
        { status: 200, description: "Every root", schema: ContractsReply, example: CONTRACTS },
      ],
      errors: [],
      handle: async () => ({ status: 200, body: { contracts: products.map(presentProduct) } }),
    }),
  ];
}

const presentProduct = ({ root, name, exchange, currency, tickSize, tickValue }: Product) => ({
  root,
  name,
  exchange,
  currency,
  tickSize: Number(tickSize),
  tickValue: Number(tickValue),
});
