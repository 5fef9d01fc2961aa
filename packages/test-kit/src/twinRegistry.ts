import { inject } from "vitest";
import { OTHER_CHAIN_ID } from "./startChains.ts";
import {
  createTestRegistry,
  mintParameters,
  newDid,
  type TestRegistry,
  testRegistry,
} from "./testRegistry.ts";

/** Contracts of `testRegistry()`, and the same contracts at the same addresses on a chain with another id. */
export type Twins = {
  here: TestRegistry;
  there: TestRegistry;
  /** DID that has a record on the other chain only. All its facts pass there. */
  did: string;
};

let shared: Promise<Twins> | undefined;

/** Returns the twins that all files share. */
export function twinRegistries(): Promise<Twins> {
  shared ??= createTwins();
  return shared;
}

async function createTwins(): Promise<Twins> {
  const here = await testRegistry();
  const there = await createTestRegistry({
    rpcUrl: inject("otherRpcUrl"),
    chainId: OTHER_CHAIN_ID,
    ownerKey: here.ownerKey,
  });
  const did = newDid();
  await registerVerified(there, did);
  return { here, there, did };
}

/** Registers a DID so that every fact of its verification passes. */
async function registerVerified(registry: TestRegistry, did: string): Promise<void> {
  const { attest, mined, publisher, issuer } = registry;
  const parameters = mintParameters(did);
  await attest(did, publisher.account.address);
  await mined(publisher.mint(parameters));
  await mined(issuer.attestDataHash(parameters));
}
