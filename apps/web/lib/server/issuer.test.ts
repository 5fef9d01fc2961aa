import { afterAll, beforeAll, expect, it } from "vitest";
import { freePort } from "../../../../packages/sdk/test/support/freePort.ts";
import { checkHealth } from "./checkHealth.ts";
import { startIssuer } from "./issuer.ts";
import { type RegistryFixture, startRegistry, wallet } from "./test/registryFixture.ts";

let fixture: RegistryFixture;
beforeAll(async () => {
  fixture = await startRegistry(await freePort());
}, 90_000);
afterAll(() => fixture.stop());

it("has the issuer that revalidates know what the one that answers requests attested", async () => {
  const [ofRoutes, ofStart] = await Promise.all([
    startIssuer(fixture.registry),
    startIssuer(fixture.registry),
  ]);
  const did = fixture.host.did(wallet.address);
  await ofRoutes.verifyAndAttest({ did, connectedAddress: wallet.address });
  await ofStart.revalidation?.runDue();
  const known = { attestations: 1, due: 0, overdue: 0, failing: 0, unanswered: 0, unknownDids: 0 };
  expect(await ofRoutes.revalidation?.count()).toEqual(known);
  const health = await checkHealth(fixture.registry, async () => ofRoutes);
  expect(health.issuer.revalidation).toEqual(known);
});

it("gives two issuers of one process, without a database, one nonce after the other", async () => {
  const issuers = await Promise.all([startIssuer(fixture.registry), startIssuer(fixture.registry)]);
  const dids = Array.from({ length: 10 }, () => fixture.host.did(wallet.address));
  const results = await Promise.all(
    dids.map((did, index) => issuers[index % 2]?.verifyAndAttest({ did, connectedAddress: wallet.address })),
  );
  expect(results.map((result) => result?.status)).toEqual(dids.map(() => "attested"));
});

it("revalidates nothing where the operator says so", async () => {
  const registry = fixture.registryWith({ ISSUER_REVALIDATION: "off" });
  const issuer = await startIssuer(registry);
  expect(issuer.revalidation).toBeUndefined();
  expect((await checkHealth(registry, async () => issuer)).issuer.revalidation).toBeNull();
});
