import { serveSimulator } from "../simulator-process.ts";
import { startProjectXServer } from "./server.ts";

await serveSimulator(startProjectXServer);
