import { AppRegistryError } from "@app-registry/sdk";
import { importMcp } from "../import/importMcp.ts";
import { didsOf } from "./didsOf.ts";
import type { Discovery } from "./finding.ts";
import { mcpFinding } from "./read/mcpFinding.ts";
import type { DiscoverOptions } from "./target.ts";

/** Looks for a service at an address, and around it. */
export async function lookOnWeb(
  url: URL,
  did: string | undefined,
  { guardedFetch }: DiscoverOptions,
): Promise<Discovery> {
  const looked: Discovery["looked"] = [];
  const findings: Discovery["findings"] = [];
  const look = { place: url.href, lookedFor: "an MCP server" };
  try {
    findings.push(mcpFinding(await importMcp(url.href, { guardedFetch })));
    looked.push({ ...look, outcome: "found" });
  } catch (error) {
    if (!(error instanceof AppRegistryError)) throw error;
    looked.push({ ...look, outcome: "failed", reason: error.shortMessage });
  }
  return { input: url.href, dids: didsOf(url, did), findings, looked };
}
