import { connectAppRegistry } from "@app-registry/sdk";
import type { RegistryService } from "@app-registry/test-kit/registryService";
import { signStatement } from "@app-registry/test-kit/signStatement";
import { challengePeriod, maturation, type TestRegistry } from "@app-registry/test-kit/testRegistry";
import { createScope, type ExampleScope, toSignedAttestation } from "./scope.ts";

type Setup = (registry: TestRegistry, service: RegistryService) => Promise<ExampleScope>;

const days = 24 * 3600;

/** Creates a scope in which the issuer of the test registry sends. */
const byIssuer: Setup = async (registry, service) => {
  const scope = await createScope(registry, service);
  await registry.mined(registry.issuer.attestDataHash({ did: scope.did, dataHash: scope.dataHash }));
  return { ...scope, client: registry.issuer };
};

/** Creates a scope with a second controller, whose client sends. */
async function withChallenger(registry: TestRegistry, service: RegistryService) {
  const scope = await createScope(registry, service);
  const challenger = await registry.newAccount();
  await registry.attest(scope.did, challenger.account.address);
  await registry.passTime(2 * maturation);
  return { ...scope, client: challenger, challenger: challenger.account.address };
}

/** Creates a scope in which the publisher lost the DID a week ago and another account controls it. */
const abandoned: Setup = async (registry, service) => {
  const scope = await withChallenger(registry, service);
  const { did, controller } = scope;
  await registry.mined(registry.issuer.revokeDid({ did, controller }));
  await registry.passTime(7 * days);
  return scope;
};

/** Creates a scope in which the controller can block the second account, which is still waiting for control. */
const afterClaim: Setup = async (registry, service) => {
  const scope = await createScope(registry, service);
  await registry.passTime(maturation);
  return { ...scope, until: scope.until + maturation };
};

/** Creates a scope in which the second account is blocked. */
const withBlock: Setup = async (registry, service) => {
  const scope = await afterClaim(registry, service);
  const { did, newcomer: controller, until } = scope;
  await registry.mined(scope.client.blockController({ did, controller, until }));
  return scope;
};

const signed =
  (primaryType: "AttestDID" | "AttestDataHash"): Setup =>
  async (registry, service) => {
    const scope = await createScope(registry, service);
    const value = primaryType === "AttestDID" ? scope.controller : scope.dataHash;
    const signature = await signStatement(registry, scope.did, { primaryType, value });
    const signedAttestation = toSignedAttestation(scope.did, scope.controller, signature);
    return { ...scope, signature, signedAttestation };
  };

/** Setups of the examples that change state or need more than a registered service. */
export const setups: Readonly<Record<string, Setup>> = {
  mint: (registry, service) => createScope(registry, service, { registered: false }),
  attestDid: byIssuer,
  attestDataHash: byIssuer,
  revokeDid: byIssuer,
  revokeDataHash: byIssuer,
  attestDidBySignature: signed("AttestDID"),
  attestDataHashBySignature: signed("AttestDataHash"),
  sendSignedAttestation: signed("AttestDID"),
  challengeDid: withChallenger,
  async resolveChallenge(registry, service) {
    const scope = await withChallenger(registry, service);
    const { did, incumbent, challenger } = scope;
    const second = await connectAppRegistry(service.baseUrl, { account: service.issuerAccount });
    await registry.mined(second.attestDid({ did, controller: challenger }));
    await registry.passTime(2 * maturation);
    await registry.mined(scope.client.challengeDid({ did, incumbent }));
    await registry.passTime(challengePeriod);
    return scope;
  },
  blockController: afterClaim,
  blockControllerBatch: afterClaim,
  getBlock: withBlock,
  getBlocks: withBlock,
  unblockController: withBlock,
  openReclaim: abandoned,
  async finishReclaim(registry, service) {
    const scope = await abandoned(registry, service);
    await registry.mined(scope.client.openReclaim({ did: scope.did, major: 1 }));
    await registry.passTime(30 * days);
    return scope;
  },
};
