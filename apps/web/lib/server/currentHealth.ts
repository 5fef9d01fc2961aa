import { watchHealth } from "@app-registry/server/checkHealth";
import { once } from "@app-registry/server/once";
import { issuer } from "./issuer.ts";
import { registry } from "./registry.ts";

const watched = once(() => watchHealth(registry(), issuer));

/** Returns the health of this server, checked at most once a second. */
export const currentHealth = () => watched()();
