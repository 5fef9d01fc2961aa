import type { TestProject } from "vitest/node";
import { freePort } from "./freePort.ts";
import { startHardhatNode } from "./hardhatNode.ts";

export const OTHER_CHAIN_ID = 31338;

/** Starts the chains for all test files. Each file deploys its own contracts. */
export default async function startChains(project: TestProject): Promise<() => Promise<void>> {
  const nodes = await Promise.all([
    startHardhatNode(await freePort()),
    startHardhatNode(await freePort(), OTHER_CHAIN_ID),
  ]);
  project.provide("rpcUrl", nodes[0].rpcUrl);
  project.provide("otherRpcUrl", nodes[1].rpcUrl);
  return async () => {
    await Promise.all(nodes.map((node) => node.stop()));
  };
}
