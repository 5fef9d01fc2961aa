import { robotsTxt } from "../../lib/server/embeds/crawlerFiles.ts";
import { textRoute } from "../../lib/server/embeds/textRoute.ts";

/** Render per request, because the server's URL is not known at build time. */
export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = textRoute(robotsTxt);
