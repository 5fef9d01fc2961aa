import {
  dataUrlPath,
  HashAlgorithm,
  type MintParameters,
  type PublishAppParameters,
  parseVersion,
  publishApp,
  RENEWAL_GRACE_SECONDS,
  verifyApp,
} from "@app-registry/sdk";
import {
  endpointsUnder,
  maturation,
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
} from "@app-registry/test-kit/testRegistry";
import type { Address } from "viem";
import { describe, expect, it } from "vitest";
import { newClient, registry, service, serviceThat } from "./sharedService.ts";

describe("publishApp", () => {
  /** Creates a publisher with a client of the web service and a DID whose document contains its wallet. */
  async function newPublisher(name: string) {
    const { account, client } = await newClient();
    return { client, account, did: service.did(name, account.address), interfaces: 2 };
  }

  const outcomes = async (parameters: Parameters<typeof verifyApp>[0]) =>
    Object.values((await verifyApp(parameters)).facts).map(({ outcome }) => outcome);

  it("proves control, registers, and has the content attested, so that every fact passes", async () => {
    const { client, did, interfaces } = await newPublisher("first");
    const published = await publishApp({
      client,
      did,
      version: "1.0.0",
      interfaces,
      metadata: restMetadata("Weather", endpointsUnder(did)),
    });
    expect(published).toMatchObject({ status: "published", did, attested: true });
    expect(await outcomes({ client, did })).toEqual(["pass", "pass", "pass", "pass", "pass"]);
    const { dataUrl } = await client.getAppSummary({ did, major: 1 });
    expect(dataUrl).toBe(`${service.baseUrl}/api/data-url/${did.replace("%", "%25")}/v/1.0.0`);
  });

  it("sends nothing if the version is registered with the same JSON content", async () => {
    const { client, did, interfaces, account } = await newPublisher("again");
    const metadata = restMetadata();
    await publishApp({ client, did, version: "1.0.0", interfaces, metadata });
    await publishApp({ client, did, version: "1.1.0", interfaces, metadata: restMetadata("Weather 2") });
    const sent = await registry.chain.getTransactionCount({ address: account.address });
    const reordered = JSON.stringify(Object.fromEntries(Object.entries(metadata).reverse()), null, 2);
    const dataHashAlgorithm = HashAlgorithm.sha256;
    for (const again of [metadata, reordered]) {
      const repeated = { client, did, version: "1.0.0", interfaces, metadata: again, dataHashAlgorithm };
      expect(await publishApp(repeated)).toMatchObject({ status: "already-published" });
    }
    expect(await registry.chain.getTransactionCount({ address: account.address })).toBe(sent);
  });

  it("publishes a higher version as an update, and a new major version as a new record", async () => {
    const { client, did, interfaces } = await newPublisher("versions");
    for (const version of ["1.0.0", "1.0.1", "2.0.0"]) {
      await publishApp({ client, did, version, interfaces, metadata: restMetadata(`Weather ${version}`) });
    }
    expect((await client.getApp({ did, major: 1 })).versionHistory).toMatchObject([
      { patch: 0 },
      { patch: 1 },
    ]);
    expect(await client.latestMajor(did)).toBe(2);
  });

  it("publishes a lower version after a reclaim, even if a squatter registered the highest one", async () => {
    const squatter = await newPublisher("reclaimed");
    const owner = await newPublisher("reclaimed");
    const { did, interfaces } = owner;
    const publish = (client: typeof owner.client, version: string) =>
      publishApp({ client, did, version, interfaces, metadata: restMetadata(`Weather ${version}`) });
    await registry.attest(did, squatter.account.address);
    for (const version of ["1.0.0", "1.255.255"]) {
      const registered = { did, version, interfaces, metadata: restMetadata(version) };
      await publishApp({ client: squatter.client, ...registered });
    }
    await registry.attest(did, owner.account.address);
    // The second wallet has to wait only if the claim is older than the maturation.
    await registry.passTime(2 * maturation);
    await registry.mined(registry.issuer.revokeDid({ did, controller: squatter.account.address }));
    await registry.passTime(RENEWAL_GRACE_SECONDS);
    await registry.mined(owner.client.openReclaim({ did, major: 1 }));
    await registry.passTime(30 * 24 * 3600);
    await registry.mined(owner.client.finishReclaim({ did, major: 1 }));
    expect(await owner.client.versionOrder({ did, major: 1 })).toBe("open");

    await expect(publish(owner.client, "1.0.0")).rejects.toMatchObject({ code: "same-version" });
    expect(await publish(owner.client, "1.0.1")).toMatchObject({ status: "published" });
    expect(await owner.client.versionOrder({ did, major: 1 })).toBe("lowered");
    await expect(publish(owner.client, "1.255.255")).rejects.toMatchObject({ code: "version" });
    expect(await publish(owner.client, "1.0.2")).toMatchObject({ status: "published" });
  });

  it("lists each invalid part of a document", async () => {
    const { client, did } = await newPublisher("problems");
    const refused = publishApp({ client, did, version: "1.0.0", interfaces: 1, metadata: restMetadata() });
    await expect(refused).rejects.toMatchObject({
      name: "NotPublishableError",
      problems: expect.arrayContaining([expect.objectContaining({ pointer: "/screenshotUrls" })]),
    });
  });

  it("reports the issuer's reason that the wallet does not control the DID", async () => {
    const { client } = await newPublisher("mine");
    const did = service.did("theirs", "0x00000000000000000000000000000000000000AA");
    const refused = publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata: restMetadata() });
    await expect(refused).rejects.toMatchObject({
      name: "ControlNotAttestedError",
      answer: { status: "failed" },
    });
  });

  it("reports that a second account of a DID is waiting for control", async () => {
    const { client, did, account } = await newPublisher("claimed");
    await registry.attest(did, registry.publisher.account.address);
    service.did("claimed", account.address);
    const waiting = publishApp({ client, did, version: "1.0.0", interfaces: 2, metadata: restMetadata() });
    await expect(waiting).rejects.toMatchObject({
      name: "ControlNotAttestedError",
      retryable: true,
      answer: { status: "waiting" },
    });
  });

  it("publishes without a web service if control is attested and there is a dataUrl", async () => {
    const { publisher: client, attest } = registry;
    const did = newDid();
    await attest(did, client.account.address);
    const dataUrl = "https://example.com/weather.json";
    const metadata = restMetadata("Weather", { notes: "x".repeat(30_000) });
    const onChainJson = false;
    const published = await publishApp({
      client,
      did,
      version: "1.0.0",
      interfaces: 2,
      metadata,
      dataUrl,
      onChainJson,
    });
    expect(published).toMatchObject({ status: "published", attested: false });
    expect(await client.getMetadata(did)).toBeUndefined();
  });

  it("submits the issuer's signatures at the publisher's cost", async () => {
    const signing = await serviceThat("sign");
    const { account, client } = await newClient(signing);
    const did = signing.did("signed", account.address);
    const published = await publishApp({
      client,
      did,
      version: "1.0.0",
      interfaces: 2,
      metadata: restMetadata("Weather", endpointsUnder(did)),
    });
    expect(published).toMatchObject({ status: "published", attested: true });
    expect(await outcomes({ client, did })).toEqual(["pass", "pass", "pass", "pass", "pass"]);
    const sentBy = (address: Address) => registry.chain.getTransactionCount({ address });
    expect(await sentBy(account.address)).toBe(3);
    expect(await sentBy(signing.issuerAccount.address)).toBe(0);
  });
});

const own = "https://example.com/metadata.json";
const human = restMetadata("Weather", {
  screenshotUrls: ["https://example.com/1.png"],
  platforms: { web: { launchUrl: "https://example.com" } },
});
const { traits: _, ...withoutTraits } = human;

type Stored = Partial<MintParameters> & { dataUrl: string; metadata?: object };

/** Registered record, what differs from publishing 1.0.1, and the data URL after it or the error's code. */
const updates: [string, Stored, Partial<PublishAppParameters>, string][] = [
  ["a stored URL that names an older version", { dataUrl: "https://example.com/v/1.0.0" }, {}, "data-url"],
  [
    "a stored URL that names this version",
    { dataUrl: "https://example.com/v/1.0.1" },
    {},
    "https://example.com/v/1.0.1",
  ],
  ["a stored URL without a version", { dataUrl: own }, {}, own],
  ["the registry's own link", { dataUrl: "link" }, {}, "link"],
  ["the registry's own link, off the chain", { dataUrl: "link" }, { onChainJson: false }, "data-url"],
  ["a lower version", { dataUrl: own, version: parseVersion("1.2.0") }, { version: "1.1.9" }, "version"],
  ["an interface that is removed", { dataUrl: own, metadata: human, interfaces: 3 }, {}, "interfaces"],
  [
    "traits that are dropped",
    { dataUrl: own, metadata: human, interfaces: 1 },
    { interfaces: 1, metadata: withoutTraits },
    "traits",
  ],
];

it.each(updates)(
  "publishApp updates or refuses %s",
  async (name, { dataUrl, metadata, ...stored }, wish, outcome) => {
    const { account, client } = await newClient();
    const did = service.did(name.replaceAll(/\W/g, "-"), account.address);
    const link = (version: MintParameters["version"]) =>
      new URL(dataUrlPath(did, version), service.baseUrl).href;
    const record = { ...mintParameters(did, metadata ?? restMetadata()), ...stored };
    const storedUrl = dataUrl === "link" ? link(record.version) : dataUrl;
    await registerApp({ ...registry, publisher: { ...client, account } }, { ...record, dataUrl: storedUrl });
    const update = { version: "1.0.1", metadata: restMetadata("Weather 2"), interfaces: 2, ...wish };
    const published = await publishApp({ client, did, ...update }).then(
      async () => (await client.getAppSummary({ did, major: 1 })).dataUrl,
      (error) => error.code,
    );
    expect(published).toBe(outcome === "link" ? link(parseVersion("1.0.1")) : outcome);
  },
);
