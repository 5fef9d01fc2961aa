import { openIndex } from "@app-registry/index/openIndex";
import { environment } from "../../environment.ts";

const { chainId, databaseSchema: schema, databaseUrl } = environment;

/** Index that this process fills, whose progress its health and metrics report. */
export const index = openIndex({ databaseUrl, schema, chainId });
