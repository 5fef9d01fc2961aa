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
    requestBody: body(importRequestSchema),
    responses: {
      "200": answer("What was found, and every location that was checked.", importAnswerSchema),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...otherSite, ...bodyProblems, 503: "A chain is unreachable." }),
    },
  }),
  "/api/check-data-url": post("checkDataUrl", "Check that a URL serves the document with a given hash", {
    requestBody: body(checkDataUrlRequestSchema),
    responses: {
      "200": answer("The result, with a reason if the check failed.", servedDocumentSchema),
      ...rateLimitedResponse(),
      ...problems({ ...badRequest, ...otherSite, ...bodyProblems }),
    },
  }),
};
