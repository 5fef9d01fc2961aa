"use server";

import { formatVersion, normalizeDid, parseVersion } from "@app-registry/sdk";
import { refresh } from "next/cache";
import { verifyService } from "./verifyService.ts";

/** Checks a version anew, and shows the page with the new answer. */
export async function recheckService(did: string, version: string): Promise<void> {
  await verifyService({ did: normalizeDid(did), version: formatVersion(parseVersion(version)), anew: true });
  refresh();
}
