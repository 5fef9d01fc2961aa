import { createRoute } from "../../../../lib/server/createRouteHandler.ts";
import { servePicture } from "../../../../lib/server/pictures/servePicture.ts";
import { registry } from "../../../../lib/server/registry.ts";

export const { GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS } = createRoute(
  { GET: (request, context) => servePicture(request, registry(), context) },
  { limit: "pictureClient" },
);
