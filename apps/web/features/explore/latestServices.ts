import "server-only";
import { searchQuerySchema } from "@app-registry/sdk";
import { cache } from "react";
import { searchServices } from "./searchServices.ts";

const LATEST = 6;

/** The newest active records, read once per request. */
export const latestServices = cache(() => searchServices(searchQuerySchema.parse({ limit: LATEST })));
