import { readEnvironment } from "@app-registry/server/environment";

/** The configuration of this process. */
export const environment = readEnvironment(process.env, "indexer");
