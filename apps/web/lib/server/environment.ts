import { readEnvironment } from "@app-registry/server/environment";
import { once } from "@app-registry/server/once";

/** Returns the configuration of this process, read once. */
export const environment = once(() => readEnvironment(process.env));
