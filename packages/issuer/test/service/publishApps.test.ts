import { connectAppRegistry, type PublishAppsEvent, publishApp, publishApps } from "@app-registry/sdk";
import { restMetadata } from "@app-registry/test-kit/testRegistry";
import { describe, expect, it, vi } from "vitest";
import { newClient, registry, service } from "./sharedService.ts";

type Service = Omit<Parameters<typeof publishApp>[0], "client">;

describe("publishApps", () => {
  let next = 0;

  /** Creates a publisher with services of one host whose documents contain its wallet. */
  async function newPublisher(count: number) {
    const { account, client } = await newClient();
    const services = Array.from({ length: count }, (_, index) => ({
      did: service.did(`many-${next++}`, account.address),
      version: "1.0.0",
      interfaces: 2,
      metadata: restMetadata(`Weather ${index}`),
    }));
    return { client, account, services };
  }

  const countSent = (address: `0x${string}`) => registry.chain.getTransactionCount({ address });

  it("publishes each service, with control and content attested in batches", async () => {
    const { client, account, services } = await newPublisher(12);
    const before = await countSent(service.issuerAccount.address);
    const events: PublishAppsEvent[] = [];
    const outcomes = await publishApps({ client, services, onProgress: (event) => events.push(event) });
    expect(outcomes.flatMap((outcome) => ("error" in outcome ? [outcome.error] : []))).toEqual([]);
    expect(outcomes).toMatchObject(services.map(({ did }) => ({ status: "published", did, attested: true })));
    expect(events.map((event) => event.type === "finished" && event.finished)).toEqual(
      services.map((_, index) => index + 1),
    );
    expect(await countSent(account.address)).toBe(services.length);
    expect((await countSent(service.issuerAccount.address)) - before).toBeLessThan(services.length);
    for (const { did } of services) expect(await client.latestMajor(did)).toBe(1);
  });

  it("sends nothing for services that are published, and updates the others", async () => {
    const { client, account, services } = await newPublisher(3);
    await publishApps({ client, services });
    const sent = await countSent(account.address);
    const [first, ...rest] = services as [Service, Service, Service];
    const changed = { ...first, version: "1.1.0", metadata: restMetadata("Changed") };
    const outcomes = await publishApps({ client, services: [changed, ...rest] });
    expect(outcomes.map(({ status }) => status)).toEqual([
      "published",
      "already-published",
      "already-published",
    ]);
    expect(await countSent(account.address)).toBe(sent + 1);
  });

  it("reports the failure of a service, and publishes the others", async () => {
    const { client, services } = await newPublisher(3);
    const [good, conflicting, other] = services as [Service, Service, Service];
    await publishApp({ client, ...conflicting });
    const stranger = (await registry.newAccount()).account.address;
    const outcomes = await publishApps({
      client,
      services: [
        { ...good, did: service.did(`foreign-${next++}`, stranger) },
        { ...good, did: "example.com" },
        { ...other, metadata: "{" },
        { ...conflicting, metadata: restMetadata("Other") },
        good,
      ],
    });
    expect(outcomes).toMatchObject([
      { status: "failed", error: { name: "ControlNotAttestedError" } },
      { status: "failed", did: "example.com", error: { name: "InvalidDidError" } },
      { status: "failed", error: { name: "JsonDocumentError" } },
      { status: "failed", error: { name: "PublicationConflictError" } },
      { status: "published", attested: true },
    ]);
  });

  it("never mints twice if two processes publish the same services with one wallet", async () => {
    const { client, account, services } = await newPublisher(3);
    const second = await connectAppRegistry(service.baseUrl, { account });
    const supply = await client.totalSupply();
    const both = await Promise.all([client, second].map((each) => publishApps({ client: each, services })));
    for (const outcomes of both) {
      for (const outcome of outcomes) expect(["published", "already-published"]).toContain(outcome.status);
    }
    expect((await client.totalSupply()) - supply).toBe(BigInt(services.length));
  });

  it("waits for the transactions of a process that was killed, and does not send them again", async () => {
    const { client, account, services } = await newPublisher(3);
    for (const { did } of services) await registry.attest(did, account.address);
    const countPending = () =>
      registry.chain.getTransactionCount({ address: account.address, blockTag: "pending" });
    await registry.chain.setAutomine(false);
    const killed = publishApps({ client, services });
    await vi.waitUntil(async () => (await countPending()) === 3, { timeout: 60_000 });
    const restarted = publishApps({
      client: await connectAppRegistry(service.baseUrl, { account }),
      services,
    });
    await registry.chain.mine({ blocks: 1 });
    await registry.chain.setAutomine(true);
    expect((await restarted).map(({ status }) => status)).toEqual(Array(3).fill("already-published"));
    expect((await killed).map(({ status }) => status)).toEqual(Array(3).fill("published"));
    expect(await countSent(account.address)).toBe(3);
  });

  it("refuses a DID that is listed twice", async () => {
    const { client, services } = await newPublisher(1);
    const [one] = services as [Service];
    const again = { ...one, did: one.did.replace("localhost", "LOCALHOST") };
    const refused = publishApps({ client, services: [one, again] });
    await expect(refused).rejects.toMatchObject({ name: "InvalidArgumentError" });
  });
});
