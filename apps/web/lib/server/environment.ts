import { readEnvironment } from "@app-registry/server/environment";
import { once } from "@app-registry/server/once";

/** The configuration of this process, read once. */
export const environment = once(() => readEnvironment(process.env));
