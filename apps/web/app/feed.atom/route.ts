import { changesFeed } from "../../lib/server/changesFeed.ts";
import { rateLimits } from "../../lib/server/limits/rateLimits.ts";
import { registry } from "../../lib/server/registry.ts";
import { routeMethods } from "../../lib/server/routeMethods.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = routeMethods(
  {
    GET: async (request) => {
      const feed = await changesFeed(new URL(request.url), registry(), "atom");
      return new Response(feed, {
        headers: {
          "content-type": "application/atom+xml; charset=utf-8",
          "cache-control": "public, max-age=60",
        },
      });
    },
  },
  { limits: { of: rateLimits, client: "searchClient" } },
);
