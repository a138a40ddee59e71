import { Type } from "@sinclair/typebox";
import type { BrokerKinds, BrokerOpening } from "../../src/brokers/broker-kind.ts";
import type { BrokerAdapter } from "../../src/brokers/broker-adapter.ts";
import { CredentialsRefusedError } from "../../src/brokers/session-errors.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";

export const EXCHANGE = "exchange-simulator";

const ExchangeSettings = Type.Object(
  {
    user: Type.String({ minLength: 1, maxLength: 64 }),
    password: Type.String({ minLength: 1, maxLength: 64 }),
    pin: Type.Optional(Type.String({ minLength: 4 })),
    accounts: Type.Integer({ minimum: 1, maximum: 10, default: 1 }),
  },
  { additionalProperties: false },
);

/** Every login that was begun, with the password and the device that it was begun with. */
export interface Login {
  readonly connection: string;
  readonly password: string;
  readonly deviceId: string;
}

/**
 * The exchange simulator as a broker whose connections users add: it knows no passwords itself, so the
 * door before it asks for one.
 */
export class ExchangeBroker {
  readonly logins: Login[] = [];
  /** What is let in; everything else is refused for good. */
  password = "open sesame";
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  get kinds(): BrokerKinds {
    const open = (opening: BrokerOpening) => this.#open(opening);
    const secrets = ["password", "pin"];
    return {
      [EXCHANGE]: {
        settings: ExchangeSettings,
        secrets,
        login: [],
        local: [],
        places: [],
        environments: ["demo", "live"],
        notices: [],
        open,
      },
    };
  }

  /** Of one connection, in order. */
  passwordsOf(connection: string): readonly string[] {
    return this.logins.filter((one) => one.connection === connection).map((one) => one.password);
  }

  #open({ connectionId, settings, deviceId, mayWrite }: BrokerOpening): BrokerAdapter {
    const { accounts, password } = settings;
    const adapter = createExchangeAdapter({
      connectionId,
      url: this.#url,
      accounts: Number(accounts),
      beforeWrite: mayWrite,
    });
    const runSession = adapter.runSession.bind(adapter);
    adapter.runSession = async (session) => {
      this.logins.push({ connection: connectionId, password: String(password), deviceId });
      if (password !== this.password) throw new CredentialsRefusedError("Incorrect password");
      await runSession(session);
    };
    return adapter;
  }
}
