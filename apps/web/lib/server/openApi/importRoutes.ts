import { checkDataUrlRequestSchema, servedDocumentSchema } from "../checkDataUrlRoute.ts";
import { importAnswerSchema, importRequestSchema } from "../importRoute.ts";
import { answer, badRequest, body, bodyProblems, post, problems, tooMany } from "./parts.ts";

/** Routes that read for a publisher what is at an address. */
export const importRoutes = {
  "/api/import": post("importService", "Find out what a service says of itself", {
    requestBody: body(importRequestSchema),
    responses: {
      "200": answer("What was found, and every place that was asked.", importAnswerSchema),
      ...tooMany(),
      ...problems({ ...badRequest, ...bodyProblems, 503: "A chain does not answer." }),
    },
  }),
  "/api/check-data-url": post("checkDataUrl", "Check that a URL serves the document of a hash", {
    requestBody: body(checkDataUrlRequestSchema),
    responses: {
      "200": answer("Whether it does, and why not.", servedDocumentSchema),
      ...tooMany(),
      ...problems({ ...badRequest, ...bodyProblems }),
    },
  }),
};
