import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkHealth } from "@app-registry/server/checkHealth";
import { startIssuer } from "@app-registry/server/issuer";
import { expect, it } from "vitest";
import { attestingServer } from "./test/attestingServer.ts";
import { provideRegistry, wallet } from "./test/registryFixture.ts";

const fixture = provideRegistry();

it("the revalidating issuer includes what the answering issuer attested", async () => {
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

it("an issuer with a key file attests, and health shows its address", async () => {
  const folder = await mkdtemp(join(tmpdir(), "issuer-"));
  const file = join(folder, "key");
  await writeFile(file, `${fixture.variables.ISSUER_PRIVATE_KEY}\n`, { mode: 0o400 });
  const registry = fixture.registryWith({ ISSUER_PRIVATE_KEY: "", ISSUER_PRIVATE_KEY_FILE: file });
  await rm(folder, { recursive: true });
  const { post, issuer } = attestingServer(registry);
  const answer = await post({ did: fixture.host.did(wallet.address), connectedAddress: wallet.address });
  expect(await answer.json()).toMatchObject({ status: "attested" });
  const health = await checkHealth(registry, issuer);
  expect(health.issuer).toMatchObject({ configured: true, authorised: true, mode: "send" });
});

it("an issuer is degraded and attests nothing while its KMS does not respond", async () => {
  const folder = await mkdtemp(join(tmpdir(), "issuer-"));
  const file = join(folder, "account.mjs");
  await writeFile(file, 'export default () => Promise.reject(new Error("arn:aws:kms:secret"));');
  const registry = fixture.registryWith({ ISSUER_PRIVATE_KEY: "", ISSUER_ACCOUNT_MODULE: file });
  const { post, issuer } = attestingServer(registry);
  const answer = await post({ did: fixture.host.did(wallet.address), connectedAddress: wallet.address });
  expect(answer.status).toBe(503);
  const body = await answer.text();
  expect(JSON.parse(body)).toMatchObject({ code: "issuer-key-unavailable", retryable: true });
  expect(body).not.toContain("arn:");
  const health = await checkHealth(registry, issuer);
  expect(health.issuer).toMatchObject({ configured: true, authorised: null });
  expect(health.problems.map(({ code }) => code)).toContain("issuer-unavailable");
  await rm(folder, { recursive: true });
});

it("an issuer revalidates nothing if the operator disables it", async () => {
  const registry = fixture.registryWith({ ISSUER_REVALIDATION: "off" });
  const issuer = await startIssuer(registry);
  expect(issuer.revalidation).toBeUndefined();
  expect((await checkHealth(registry, async () => issuer)).issuer.revalidation).toBeNull();
});
