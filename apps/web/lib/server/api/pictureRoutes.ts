import { checkTurns } from "../limits/routeTurns.ts";
import { servePicture } from "../pictures/servePicture.ts";
import type { Registry } from "../registry.ts";
import { badRequest, contentOfType, defineRoute, notRegistered, unavailable, versionedDid } from "./route.ts";

/** Only Next can load the code that draws badges and cards. */
const loadEmbeds = () => import("../embeds/serveEmbed.ts");

/** Returns the routes that draw pictures of services. */
export const pictureRoutes = (registry: () => Registry) => [
  defineRoute({
    method: "get",
    path: "/api/badge/{versionedDid}",
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getBadge",
      summary: "Get a badge that shows what is proven and the service's facts",
      description:
        'Shows "Controlled by example.com", or "Registered under example.com; control not currently proven", and how many ' +
        "facts pass. Contains nothing from the metadata.",
      parameters: [versionedDid("<did>, or <did>/v/<version>.")],
      responses: { 200: contentOfType("image/svg+xml", "The badge. May be cached for a few minutes.") },
      errors: { ...badRequest, ...notRegistered, ...unavailable },
    },
    handler: async (request) => (await loadEmbeds()).serveBadge(request),
  }),
  defineRoute({
    method: "get",
    path: "/api/card/{versionedDid}",
    limits: ["readClient"],
    inTurn: checkTurns,
    documented: {
      operationId: "getCard",
      summary: "Get the share image of a service",
      parameters: [versionedDid("<did>, or <did>/v/<version>.")],
      responses: {
        200: contentOfType(
          "image/png",
          "1200 × 630 image that starts with what is proven. May be cached for a few minutes.",
        ),
      },
      errors: { ...badRequest, ...notRegistered, ...unavailable },
    },
    handler: async (request) => (await loadEmbeds()).serveCard(request),
  }),
  defineRoute({
    method: "get",
    path: "/api/picture/{versionedDid}",
    limits: ["pictureClient"],
    documented: {
      operationId: "getPicture",
      summary: "Get a picture listed in a version's document, re-encoded by this server",
      description:
        "Reads only pictures of a document that hashes to the record: PNG, JPEG, GIF, WebP or AVIF, at most 2 MiB and 24 million " +
        "pixels. Never draws SVG.",
      parameters: [
        versionedDid("<did>/v/<version>."),
        {
          name: "pointer",
          in: "query",
          required: true,
          description: "JSON Pointer to the picture, for example /image or /screenshotUrls/0.",
          schema: { type: "string" },
        },
      ],
      responses: {
        200: contentOfType(
          "image/webp",
          "The picture, at most 1,280 pixels per side. May be cached for an hour.",
        ),
        204: { description: "Instead of 409, 422 and 502 for an image of a page (`Sec-Fetch-Dest: image`)." },
      },
      errors: {
        ...badRequest,
        404: "The version is not registered, or its document doesn't list that picture.",
        409: "The document at dataUrl doesn't match the record.",
        422: "Unsupported picture type, or too large.",
        502: "The picture's host does not serve the picture, or the dataUrl host does not serve the document.",
        503: "The chain is unreachable, or too many pictures are waiting to be rendered (`pictures-busy`). Try again.",
        508: "The request comes from a registry's server, because a document's picture points to another registry's picture.",
      },
    },
    handler: (request, context) => servePicture(request, registry(), context),
  }),
];
