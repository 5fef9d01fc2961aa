import { servePicture } from "../../../../lib/server/pictures/servePicture.ts";
import { registry } from "../../../../lib/server/registry.ts";
import { createRoute } from "../../../../lib/server/route.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request, context) => servePicture(request, registry(), context) },
  { limit: "pictureClient" },
);
