import { checkDataUrlRequestSchema, servedDocumentSchema } from "../checkDataUrlRoute.ts";
import { importAnswerSchema, importRequestSchema } from "../importRoute.ts";
import {
  answer,
  badRequest,
  body,
  bodyProblems,
  otherSite,
  post,
  problems,
  rateLimitedResponse,
} from "./builders.ts";

/** Routes that read an address for a publisher. */
export const importRoutes = {
  "/api/import": post("importService", "Read how a service describes itself", {
    description:
      "Reads the address and the well-known locations on the same site. A location that doesn't respond is part of the " +
      "result, not an error.",
    requestBody: body(importRequestSchema),
    responses: {
      "200": answer("What was found, and every location that was checked.", importAnswerSchema),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...otherSite, ...bodyProblems, 503: "A chain is unreachable." }),
    },
  }),
  "/api/check-data-url": post("checkDataUrl", "Check that a URL serves the document with a given hash", {
    description:
      "Checks a URL before a record names it. The server reads it under the rules for outbound requests.",
    requestBody: body(checkDataUrlRequestSchema),
    responses: {
      "200": answer("The result, with a reason if the check failed.", servedDocumentSchema),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...otherSite, ...bodyProblems }),
    },
  }),
};
