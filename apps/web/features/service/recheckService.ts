"use server";

import { formatVersion, normalizeDid, parseVersion } from "@app-registry/sdk";
import { refresh } from "next/cache";
import { getBlock } from "viem/actions";
import { registry } from "../../lib/server/registry.ts";
import { verifyService } from "../../lib/service/verifyService.ts";

/** Verifies a version again and refreshes the page. */
export async function recheckService(did: string, version: string): Promise<void> {
  await verifyService({
    did: normalizeDid(did),
    version: formatVersion(parseVersion(version)),
    block: await getBlock(registry().client.publicClient),
    isRecheck: true,
  });
  refresh();
}
