import { expect } from "chai";
import { getBytes, id, toUtf8String, ZeroAddress } from "ethers";
import {
  Algorithm,
  createRegistrySuite,
  DAY,
  DID,
  didHash,
  hashText,
  mintArguments,
} from "../registry/fixture.ts";

const { ethers, time, load } = await createRegistrySuite();

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
  it("a squatter gets two major versions at once, one more each day, and all can be reclaimed and updated", async () => {
    const { registry, publisher: squatter, second, publish, attestAndWait, revoke, update } = await load();
    const majors = [253, 254, 255];
    for (const major of majors) {
      if (major === 255) await time.increase(DAY);
      await publish({ version: [major, 255, 255] });
      if (major === 253) continue;
      const mintableFrom = (await time.latest()) + DAY;
      await expect(publish({ version: [major === 254 ? 255 : 0, 255, 255] }))
        .to.be.revertedWithCustomError(registry, "MintTooEarly")
        .withArgs(didHash, mintableFrom);
    }
    await attestAndWait(second);
    await revoke(squatter);
    await time.increase(7 * DAY);
    for (const major of majors) await registry.connect(second).openReclaim(DID, major);
    await time.increase(30 * DAY);
    for (const major of majors) {
      await registry.connect(second).finishReclaim(DID, major);
      await update(second, { version: [major, 1, 0] });
      await update(second, { version: [major, 1, 1] });
    }
    expect((await registry.getAppSummary(DID, 255)).latestVersion.minor).to.equal(1);
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
});
