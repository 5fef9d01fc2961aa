import { textRoute } from "../../lib/server/machine/textRoute.ts";
import { robotsTxt } from "../../lib/server/machine/texts.ts";

/** The server's address is known when it runs. */
export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = textRoute(robotsTxt);
