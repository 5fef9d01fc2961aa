import { readEnvironment } from "@app-registry/server/environment";

/** Configuration of this process. */
export const environment = readEnvironment(process.env, "indexer");
