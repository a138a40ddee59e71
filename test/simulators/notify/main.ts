import { serveSimulator } from "../simulator-process.ts";
import { startNotifyServer } from "./server.ts";

await serveSimulator(startNotifyServer);
