import { once } from "@app-registry/server/async";
import { readEnvironment } from "@app-registry/server/environment";

/** Returns the configuration of this process, read once. */
export const environment = once(() => readEnvironment(process.env));
