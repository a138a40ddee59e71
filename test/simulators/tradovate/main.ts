import { serveSimulator } from "../simulator-process.ts";
import { startTradovateServer } from "./server.ts";

await serveSimulator(startTradovateServer);
