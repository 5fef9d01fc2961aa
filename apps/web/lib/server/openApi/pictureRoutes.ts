import {
  badRequest,
  get,
  notRegistered,
  ofType,
  problems,
  tooMany,
  unavailable,
  versionedDid,
} from "./parts.ts";

/** Routes that draw pictures of services. */
export const pictureRoutes = {
  "/api/badge/{versionedDid}": get("getBadge", "A badge of a service's facts, led by what is proven", {
    parameters: [versionedDid("<did>, or <did>/v/<version>.")],
    responses: {
      "200": ofType("image/svg+xml", "The badge. It may be kept for minutes."),
      ...tooMany(),
      ...problems({ ...badRequest, ...notRegistered, ...unavailable }),
    },
  }),
  "/api/card/{versionedDid}": get("getCard", "The picture that social sites show for a service's page", {
    parameters: [versionedDid("<did>, or <did>/v/<version>.")],
    responses: {
      "200": ofType("image/png", "1200 by 630 pixels, led by what is proven. It may be kept for minutes."),
      ...tooMany(),
      ...problems({ ...badRequest, ...notRegistered, ...unavailable }),
    },
  }),
  "/api/picture/{versionedDid}": get("getPicture", "A picture that a version's document names, drawn anew", {
    parameters: [
      versionedDid("<did>/v/<version>."),
      {
        name: "pointer",
        in: "query",
        required: true,
        description: "JSON Pointer of the picture: /image, or /screenshotUrls/0.",
        schema: { type: "string" },
      },
    ],
    responses: {
      "200": ofType("image/webp", "The picture, at most 1,280 pixels a side. It may be kept for an hour."),
      ...tooMany(),
      ...problems({
        ...badRequest,
        404: "The version is not registered, or its document names no such picture.",
        409: "The document at dataUrl is not the recorded one.",
        422: "It is no picture that is shown here, or too large.",
        502: "Its host, or that of dataUrl, does not serve it.",
        ...unavailable,
      }),
    },
  }),
};
