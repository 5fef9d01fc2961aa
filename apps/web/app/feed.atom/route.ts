import { feedRoute } from "../../lib/server/changesFeed.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = feedRoute("atom");
