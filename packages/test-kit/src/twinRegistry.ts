import { inject } from "vitest";
import { OTHER_CHAIN_ID } from "./startChains.ts";
import {
  createTestRegistry,
  mintParameters,
  newDid,
  type TestRegistry,
  testRegistry,
} from "./testRegistry.ts";

/** The contracts of `testRegistry()`, and the same ones at the same addresses on a chain of another id. */
export type Twins = {
  here: TestRegistry;
  there: TestRegistry;
  /** A DID of which only the other chain has a record, all of whose facts pass there. */
  did: string;
};

let shared: Promise<Twins> | undefined;

/** The twins that all files share. */
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
export async function registerVerified(registry: TestRegistry, did: string): Promise<void> {
  const { attest, mined, publisher, issuer } = registry;
  const parameters = mintParameters(did);
  await attest(did, publisher.account.address);
  await mined(publisher.mint(parameters));
  await mined(issuer.attestDataHash(parameters));
}
