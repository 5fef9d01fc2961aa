import { z } from "zod";

/** Body of the POST /api/import routes. */
export const importRequestSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/, error: "must be an http or https URL" })
    .max(2_048)
    .describe("The address that is read."),
});
