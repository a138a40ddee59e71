import { serveSimulator } from "../simulator-process.ts";
import { startExchangeServer } from "./server.ts";

await serveSimulator(startExchangeServer);
