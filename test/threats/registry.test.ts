import { expect } from "chai";
import { getBytes, id, toUtf8String, ZeroAddress, ZeroHash } from "ethers";
import {
  Algorithm,
  createRegistrySuite,
  DAY,
  DID,
  didHash,
  hashText,
  type MintInput,
  mintArguments,
  Status,
  traits,
} from "../registry/fixture.ts";

const { ethers, time, load } = await createRegistrySuite();

const service = (index: number) => `did:web:service-${index}.example`;

describe("Attacks on the registry", () => {
  // @threat contracts: Mint or update without control, or in other capitals
  it("a registry without a resolver mints nothing", async () => {
    const { stranger } = await load();
    for (const resolver of [ZeroAddress, stranger.address]) {
      const registry = await ethers.deployContract("AppRegistry", [resolver]);
      await expect(registry.getFunction("mint").staticCall(...mintArguments())).to.be.revert(ethers);
    }
  });

  // @threat contracts: Mint or update without control, or in other capitals
  it("a DID in other capitals can't be minted as a second service", async () => {
    const { registry, publisher, publish, attest, mint } = await load();
    await publish();
    for (const did of ["did:web:Example.com", "DID:web:example.com", "did:web:example.com."]) {
      await attest(publisher, did);
      await expect(mint(publisher, { did }))
        .to.be.revertedWithCustomError(registry, "InvalidDID")
        .withArgs(did);
    }
  });

  // @threat contracts: Replace or clear a record's JSON
  it("another holder's major version 2 does not replace the JSON of version 1", async () => {
    const { registry, metadata, second, publish, attestAndWait } = await load();
    const json = '{"name":"first"}';
    await publish({ json });
    await attestAndWait(second);
    await publish({ json: '{"name":"second"}', version: [2, 0, 0] }, second);
    const [event] = await metadata.queryFilter(metadata.filters.MetadataSet(didHash));
    const code = getBytes(await ethers.provider.getCode(event?.args.pointer ?? ZeroAddress));
    const stored = toUtf8String(code.slice(1));
    expect(stored).to.equal(json);
    expect((await registry.getApp(DID, 1)).dataHash).to.equal(id(stored));
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("version 1.5.0 can't be updated to 1.0.1", async () => {
    const { registry, publisher, publish, update } = await load();
    await publish({ version: [1, 5, 0] });
    await expect(update(publisher, { version: [1, 0, 1] }))
      .to.be.revertedWithCustomError(registry, "VersionNotGreater")
      .withArgs(5, 0, 0, 1);
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("version x.255.255 does not freeze a service, whose next major version can be minted", async () => {
    const { registry, publisher, publish, update } = await load();
    await publish({ version: [1, 255, 255] });
    for (const version of [
      [1, 0, 0],
      [1, 255, 255],
    ] as const) {
      await expect(update(publisher, { version: [...version] }))
        .to.be.revertedWithCustomError(registry, "VersionExhausted")
        .withArgs(1);
    }
    await publish({ version: [2, 0, 0] });
    await update(publisher, { version: [2, 0, 1] });
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("a squatter gets two major versions at once, one more each day, and all can be reclaimed and updated", async () => {
    const { registry, publisher: squatter, second, publish, attestAndWait, revoke, update } = await load();
    for (let major = 0; major < 256; major++) {
      if (major > 1) await time.increase(DAY);
      await publish({ version: [major, 255, 255] });
      if (major === 0) continue;
      const mintableFrom = (await time.latest()) + DAY;
      await expect(publish({ version: [major < 255 ? major + 1 : 0, 255, 255] }))
        .to.be.revertedWithCustomError(registry, major < 255 ? "MintTooEarly" : "AppAlreadyExists")
        .withArgs(didHash, major < 255 ? mintableFrom : 0);
    }
    await attestAndWait(second);
    await revoke(squatter);
    await time.increase(7 * DAY);
    const majors = [0, 17, 255];
    for (const major of majors) await registry.connect(second).openReclaim(DID, major);
    await time.increase(30 * DAY);
    for (const major of majors) {
      await registry.connect(second).finishReclaim(DID, major);
      await update(second, { version: [major, 1, 0] });
      await update(second, { version: [major, 1, 1] });
    }
    expect((await registry.getAppSummary(DID, 255)).latestVersion.minor).to.equal(1);
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("a version of a reclaimed record can't be published again with other content", async () => {
    const { registry, publisher, second, publish, attestAndWait, revoke, update } = await load();
    await publish({ version: [1, 0, 0] });
    await update(publisher, { version: [1, 2, 0] });
    await attestAndWait(second);
    await revoke(publisher);
    await time.increase(7 * DAY);
    await registry.connect(second).openReclaim(DID, 1);
    await time.increase(30 * DAY);
    await registry.connect(second).finishReclaim(DID, 1);
    const publishOther = (minor: number) =>
      update(second, { version: [1, minor, 0], dataHash: id("other content") });
    for (const minor of [0, 2]) {
      await expect(publishOther(minor))
        .to.be.revertedWithCustomError(registry, "VersionTaken")
        .withArgs(1, minor, 0);
    }
    await publishOther(1);
    await expect(publishOther(2)).to.be.revertedWithCustomError(registry, "VersionTaken").withArgs(1, 2, 0);
  });

  // @threat contracts: Lower, exhaust or freeze a DID's versions
  it("minting major version 1 after 2 does not lower latestMajor", async () => {
    const { registry, publish } = await load();
    await publish({ version: [2, 0, 0] });
    await publish({ version: [1, 0, 0] });
    expect(await registry.latestMajor(didHash)).to.equal(2);
  });

  // @threat contracts: Replace or clear a record's JSON
  it("republishing an empty document does not clear the DID's JSON", async () => {
    const { registry, metadata, publisher, second, publish, attestAndWait } = await load();
    const json = '{"name":"second"}';
    for (const [name, algorithm] of Object.entries(Algorithm)) {
      const did = `did:web:${name}.example`;
      await publish({ did, algorithm, dataHash: hashText("", algorithm) });
      await attestAndWait(second, did);
      await publish({ did, json, version: [2, 0, 0] }, second);
      await expect(registry.connect(publisher).republishMetadata(did, 1, "")).to.be.revertedWithCustomError(
        registry,
        "EmptyMetadata",
      );
      expect(await metadata.getMetadataJson(did)).to.equal(json);
    }
  });

  // @threat contracts: Store an invalid hash, algorithm, status or interface
  it("an update of the algorithm can't clear the dataHash", async () => {
    const { registry, publisher, publish, update } = await load();
    await publish({ dataHash: id("document") });
    const algorithm = Algorithm.sha256;
    await expect(update(publisher, { dataHash: ZeroHash, algorithm })).to.be.revertedWithCustomError(
      registry,
      "ZeroDataHash",
    );
    await update(publisher, { dataHash: id("document"), algorithm });
    const app = await registry.getApp(DID, 1);
    expect([app.dataHash, app.dataHashAlgorithm]).to.deep.equal([id("document"), BigInt(algorithm)]);
  });

  // @threat contracts: Store an invalid hash, algorithm, status or interface
  it("status 200 is refused", async () => {
    const { registry, publisher, publish } = await load();
    await publish();
    await expect(registry.connect(publisher).updateStatus(DID, 1, 200))
      .to.be.revertedWithCustomError(registry, "InvalidStatus")
      .withArgs(200);
  });

  const badInputs: [name: string, input: Omit<MintInput, "version">, error: string][] = [
    ["algorithm 77", { algorithm: 77 }, "InvalidHashAlgorithm"],
    ["interfaces 0xffff", { interfaces: 0xffff }, "InvalidInterfaces"],
    ["a zero dataHash", { dataHash: ZeroHash }, "ZeroDataHash"],
    ["a dataUrl that is too long", { dataUrl: "u".repeat(2049) }, "DataUrlTooLong"],
    ["too many traits", { traitHashes: traits(21) }, "TooManyTraits"],
    ["a zero trait", { traitHashes: [ZeroHash] }, "ZeroTrait"],
    ["a trait twice", { traitHashes: [id("a"), id("a")] }, "DuplicateTrait"],
    ["a JSON of another hash", { json: "{}", dataHash: id("other") }, "DataHashMismatch"],
  ];
  for (const [name, input, error] of badInputs) {
    // @threat contracts: Store an invalid hash, algorithm, status or interface
    it(`mints and updates both refuse ${name}`, async () => {
      const { registry, publisher, publish, attest, mint, update } = await load();
      await publish();
      await attest(publisher, service(1));
      await expect(mint(publisher, { ...input, did: service(1) })).to.be.revertedWithCustomError(
        registry,
        error,
      );
      await expect(update(publisher, { ...input, version: [1, 1, 0] })).to.be.revertedWithCustomError(
        registry,
        error,
      );
    });
  }

  // @threat contracts: Mint or update without control, or in other capitals
  it("an update without control of the DID is refused", async () => {
    const { registry, publisher, publish, revoke, update } = await load();
    await publish();
    await revoke(publisher);
    await expect(update(publisher))
      .to.be.revertedWithCustomError(registry, "NotController")
      .withArgs(didHash, publisher.address);
  });

  // @threat contracts: Mint or update without control, or in other capitals
  it("a new registry has its own metadata store, so that no JSON is lost", async () => {
    const { registry, metadata, publish } = await load();
    expect(await metadata.registry()).to.equal(await registry.getAddress());
    await publish({ json: "{}" });
    expect(await metadata.getMetadataJson(DID)).to.equal("{}");
  });

  // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
  it("filling a wallet with tokens does not raise the gas of a listing", async () => {
    const { registry, publisher, buyer, publish } = await load();
    const page = async () => Number(await registry.getAppsByOwner.estimateGas(buyer, 0, 5));
    let before = 0;
    for (let index = 1; index <= 40; index++) {
      await publish({ did: service(index) });
      await registry.connect(publisher).transferFrom(publisher, buyer, index);
      if (index === 6) before = await page();
    }
    expect(await page()).to.be.closeTo(before, 100);
  });

  // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
  it("many versions of a record do not raise the gas of a listing", async () => {
    const { registry, publisher, publish, update } = await load();
    await publish();
    const page = async () => Number(await registry.getAppsByInterface.estimateGas(2, true, 0, 100));
    const before = await page();
    for (let patch = 1; patch <= 40; patch++) await update(publisher, { version: [1, 0, patch] });
    expect(await page()).to.be.closeTo(before, 100);
  });

  // @threat contracts: Make a listing exceed the gas limit, or miss or repeat an app
  it("changes of other records between two pages neither hide nor repeat a record", async () => {
    const { registry, publisher, buyer, publish } = await load();
    for (let index = 1; index <= 9; index++) await publish({ did: service(index) });
    const mine = registry.connect(publisher);
    await mine.updateStatus(service(2), 1, Status.deprecated);
    const found: bigint[] = [];
    let cursor = 0n;
    do {
      const { page, nextCursor } = await registry.getAppsByInterface(2, true, cursor, 3);
      found.push(...page.map(({ tokenId }) => tokenId));
      if (cursor === 0n) {
        await mine.updateStatus(service(1), 1, Status.replaced);
        await mine.updateStatus(service(2), 1, Status.active);
        await mine.transferFrom(publisher, buyer, 5);
      }
      cursor = nextCursor;
    } while (cursor !== 0n);
    expect(found).to.deep.equal([1n, 3n, 4n, 5n, 6n, 7n, 8n, 9n]);
  });
});
