import { llmsTxt } from "../../lib/server/embeds/crawlerFiles.ts";
import { textRoute } from "../../lib/server/embeds/textRoute.ts";

/** The server's address is known when it runs. */
export const dynamic = "force-dynamic";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = textRoute(llmsTxt);
