import { readEnvironment } from "@app-registry/server/environment";

export const environment = readEnvironment(process.env, "indexer");
