import { expect } from "chai";
import { id, ZeroAddress, ZeroHash } from "ethers";
import {
  Algorithm,
  createRegistrySuite,
  DATA_URL,
  DAY,
  DID,
  didHash,
  hashText,
  Interface,
  type MintInput,
  OTHER_DID,
  Status,
  traits,
} from "./fixture.ts";

const { time, load } = await createRegistrySuite();

const MAX_JSON = 24_575;
const json = '{"name":"Example"}';

describe("mint", () => {
  describe("when the caller controls the DID", () => {
    it("creates token 1 with every field of the record", async () => {
      const { registry, publisher, publish } = await load();
      await publish({
        interfaces: Interface.human + Interface.contract,
        dataHash: hashText("document"),
        algorithm: Algorithm.sha256,
        fungibleTokenId: "eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f",
        contractId: "eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f",
        version: [3, 4, 5],
        traitHashes: traits(3),
      });
      expect(await registry.ownerOf(1)).to.equal(publisher.address);
      const app = await registry.getApp(DID, 3);
      const registeredAt = await time.latest();
      expect(app.did).to.equal(DID);
      expect(app.versionMajor).to.equal(3);
      expect(app.versionHistory).to.deep.equal([[3n, 4n, 5n, BigInt(registeredAt)]]);
      expect(app.interfaces).to.equal(5);
      expect(app.dataUrl).to.equal(DATA_URL);
      expect(app.dataHash).to.equal(hashText("document"));
      expect(app.dataHashAlgorithm).to.equal(Algorithm.sha256);
      expect(app.contractId).to.equal("eip155:1:0x6b175474e89094c44da98b954eedeac495271d0f");
      expect(app.fungibleTokenId).to.equal("eip155:1/erc20:0x6b175474e89094c44da98b954eedeac495271d0f");
      expect(app.minter).to.equal(publisher.address);
      expect(app.status).to.equal(Status.active);
      expect(app.traitHashes).to.deep.equal(traits(3));
    });

    it("emits AppMinted with every field, and the ERC-721 Transfer", async () => {
      const { registry, publisher, attest, mint } = await load();
      await attest(publisher);
      const minting = mint(publisher, {
        fungibleTokenId: "eip155:1/slip44:60",
        contractId: "eip155:1:0x0000000000000000000000000000000000000001",
        traitHashes: traits(2),
      });
      await expect(minting)
        .to.emit(registry, "AppMinted")
        .withArgs(
          1,
          didHash,
          publisher.address,
          DID,
          1,
          0,
          0,
          Interface.api,
          DATA_URL,
          hashText("{}"),
          Algorithm.keccak256,
          "eip155:1:0x0000000000000000000000000000000000000001",
          "eip155:1/slip44:60",
          traits(2),
        );
      await expect(minting).to.emit(registry, "Transfer").withArgs(ZeroAddress, publisher.address, 1);
    });

    it("accepts the longest strings, twenty traits and every interface bitmap", async () => {
      const { registry, publish } = await load();
      const longest: MintInput = {
        did: `did:web:example.com:${"a".repeat(255 - 20)}`,
        dataUrl: "u".repeat(2048),
        contractId: "c".repeat(256),
        fungibleTokenId: "f".repeat(256),
        traitHashes: traits(20),
      };
      await publish(longest);
      const app = await registry.getAppByTokenId(1);
      expect([app.did, app.dataUrl, app.contractId, app.fungibleTokenId, [...app.traitHashes]]).to.deep.equal(
        [longest.did, longest.dataUrl, longest.contractId, longest.fungibleTokenId, longest.traitHashes],
      );
      for (let interfaces = 1; interfaces <= 7; interfaces++) {
        const did = `did:web:example.com:${interfaces}`;
        await publish({ did, interfaces });
        expect((await registry.getAppSummary(did, 1)).interfaces).to.equal(interfaces);
      }
    });
  });

  describe("when the caller does not control the DID", () => {
    it("refuses a stranger even if all other input is valid", async () => {
      const { registry, stranger, mint } = await load();
      await expect(mint(stranger))
        .to.be.revertedWithCustomError(registry, "NotController")
        .withArgs(didHash, stranger.address);
    });

    it("refuses a controller of another DID", async () => {
      const { registry, publisher, attest, mint } = await load();
      await attest(publisher, OTHER_DID);
      await expect(mint(publisher))
        .to.be.revertedWithCustomError(registry, "NotController")
        .withArgs(didHash, publisher.address);
    });

    it("refuses an account whose attestation has expired or was revoked", async () => {
      const { registry, publisher, attest, revoke, mint } = await load();
      const expiresAt = (await time.latest()) + 100;
      await attest(publisher, DID, expiresAt);
      await time.increaseTo(expiresAt);
      await expect(mint(publisher)).to.be.revertedWithCustomError(registry, "NotController");
      await attest(publisher);
      await revoke(publisher);
      await expect(mint(publisher)).to.be.revertedWithCustomError(registry, "NotController");
    });

    it("refuses a second controller until its attestation has matured", async () => {
      const { registry, second, attest, attestAndWait, publish, mint } = await load();
      await publish();
      await attest(second);
      const next: MintInput = { version: [2, 0, 0] };
      await expect(mint(second, next))
        .to.be.revertedWithCustomError(registry, "NotController")
        .withArgs(didHash, second.address);
      await attestAndWait(second);
      await mint(second, next);
      expect(await registry.ownerOf(2)).to.equal(second.address);
    });
  });

  describe("with a major version", () => {
    it("accepts any major version for the first record of a DID", async () => {
      const { registry, publish } = await load();
      await publish({ version: [0, 0, 0] });
      await publish({ did: OTHER_DID, version: [255, 255, 255] });
      expect(await registry.latestMajor(didHash)).to.equal(0);
      expect(await registry.latestMajor(id(OTHER_DID))).to.equal(255);
    });

    it("refuses a major version that leaves a gap", async () => {
      const { registry, publish } = await load();
      await publish();
      await expect(publish({ version: [3, 0, 0] }))
        .to.be.revertedWithCustomError(registry, "MajorNotNext")
        .withArgs(3, 1);
    });

    // @threat contracts: Lower, exhaust or freeze a DID's versions
    it("accepts a missing lower major version, and keeps the latest major", async () => {
      const { registry, publish } = await load();
      await publish({ version: [2, 0, 0] });
      await publish({ version: [1, 0, 0] });
      await time.increase(DAY);
      await publish({ version: [0, 0, 0] });
      expect(await registry.latestMajor(didHash)).to.equal(2);
      expect(await registry.tokenIdOf(DID, 0)).to.equal(3);
    });

    it("refuses a DID's third and later mints until a day after the last one, whoever mints", async () => {
      const { registry, publisher, second, attestAndWait, publish, mint } = await load();
      await publish({ version: [7, 0, 0] });
      await attestAndWait(second);
      for (const [major, by, other] of [
        [8, publisher, second],
        [9, second, publisher],
        [3, publisher, publisher],
      ] as const) {
        await mint(by, { version: [major, 255, 255] });
        const mintableFrom = (await time.latest()) + DAY;
        await time.setNextBlockTimestamp(mintableFrom - 1);
        await expect(mint(other, { version: [major === 3 ? 4 : 10, 0, 0] }))
          .to.be.revertedWithCustomError(registry, "MintTooEarly")
          .withArgs(didHash, mintableFrom);
        await time.setNextBlockTimestamp(mintableFrom);
      }
      await publish({ did: OTHER_DID });
    });

    it("refuses a major version that exists", async () => {
      const { registry, publish } = await load();
      await publish();
      await publish({ version: [2, 0, 0] });
      for (const major of [1, 2]) {
        await expect(publish({ version: [major, 9, 9] }))
          .to.be.revertedWithCustomError(registry, "AppAlreadyExists")
          .withArgs(didHash, major);
      }
    });
  });

  describe("with a metadata JSON", () => {
    it("accepts a JSON of 24,575 bytes and refuses a larger one", async () => {
      const { metadata, publish } = await load();
      const largest = `"${"x".repeat(MAX_JSON - 2)}"`;
      await expect(publish({ json: `${largest} ` }))
        .to.be.revertedWithCustomError(metadata, "MetadataTooLarge")
        .withArgs(MAX_JSON + 1, MAX_JSON);
      await publish({ json: largest });
      expect(await metadata.getMetadataJson(DID)).to.equal(largest);
    });
  });

  describe("with input out of bounds", () => {
    const cases: [name: string, input: MintInput, error: string, args: unknown[]][] = [
      ["no interface", { interfaces: 0 }, "InvalidInterfaces", [0]],
      ["an empty dataUrl", { dataUrl: "" }, "EmptyDataUrl", []],
      ["a contractId of 257 bytes", { contractId: "c".repeat(257) }, "ContractIdTooLong", [257, 256]],
      [
        "a fungibleTokenId of 257 bytes",
        { fungibleTokenId: "f".repeat(257) },
        "FungibleTokenIdTooLong",
        [257, 256],
      ],
    ];
    for (const [name, input, error, args] of cases) {
      it(`refuses ${name}`, async () => {
        const { registry, publish } = await load();
        await expect(publish(input))
          .to.be.revertedWithCustomError(registry, error)
          .withArgs(...args);
      });
    }
  });
});

describe("mint and updateAppControlled", () => {
  type Input = Omit<MintInput, "did" | "version">;
  const cases: [name: string, input: Input, error: string, args: unknown[]][] = [
    ["an unknown interface", { interfaces: 8 }, "InvalidInterfaces", [8]],
    ["an interface beyond the low byte", { interfaces: 0x0102 }, "InvalidInterfaces", [0x0102]],
    ["a dataUrl of 2,049 bytes", { dataUrl: "u".repeat(2049) }, "DataUrlTooLong", [2049, 2048]],
    ["a zero dataHash", { dataHash: ZeroHash }, "ZeroDataHash", []],
    ["a zero SHA-256", { dataHash: ZeroHash, algorithm: Algorithm.sha256 }, "ZeroDataHash", []],
    ["algorithm 2", { algorithm: 2 }, "InvalidHashAlgorithm", [2]],
    ["algorithm 77", { algorithm: 77 }, "InvalidHashAlgorithm", [77]],
    ["21 traits", { traitHashes: traits(21) }, "TooManyTraits", [21, 20]],
    ["a zero trait", { traitHashes: [id("a"), ZeroHash] }, "ZeroTrait", [1]],
    ["a trait twice", { traitHashes: [id("a"), id("b"), id("a")] }, "DuplicateTrait", [id("a")]],
    ["a JSON with another hash", { json, dataHash: id("x") }, "DataHashMismatch", [id("x"), id(json)]],
    [
      "a JSON with the hash of another algorithm",
      { json, algorithm: Algorithm.sha256, dataHash: id(json) },
      "DataHashMismatch",
      [id(json), hashText(json, Algorithm.sha256)],
    ],
  ];
  for (const [name, input, error, args] of cases) {
    // @threat contracts: Store an invalid hash, algorithm, status or interface
    it(`refuse ${name}`, async () => {
      const { registry, publisher, publish, update } = await load();
      await expect(publish(input))
        .to.be.revertedWithCustomError(registry, error)
        .withArgs(...args);
      await publish();
      await expect(update(publisher, { ...input, version: [1, 1, 0] }))
        .to.be.revertedWithCustomError(registry, error)
        .withArgs(...args);
    });
  }
});
