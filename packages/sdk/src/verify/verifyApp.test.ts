import { deadOrigin, serveHttp } from "@app-registry/test-kit/httpServer";
import {
  maturation,
  mintParameters,
  newDid,
  registerApp,
  restMetadata,
  type TestRegistry,
  testRegistry,
} from "@app-registry/test-kit/testRegistry";
import { beforeAll, describe, expect, it } from "vitest";
import { getSite } from "../../test/getSite.ts";
import { MAX_BLOCK } from "../client/controller.ts";
import { hashDocument } from "../hash.ts";
import { fetchDocument } from "./documents.ts";
import { type VerificationReport, verificationReportSchema } from "./report.ts";
import { verifyApp } from "./verifyApp.ts";

const outcomes = ({ facts }: VerificationReport) =>
  Object.fromEntries(Object.entries(facts).map(([name, { outcome }]) => [name, outcome]));

const stepOutcomes = ({ steps }: VerificationReport) =>
  steps.map(({ step, outcome }) => `${step} ${outcome}`);

const allPass = { record: "pass", control: "pass", content: "pass", attested: "pass", origin: "pass" };

describe("verifyApp", () => {
  let registry: TestRegistry;

  beforeAll(async () => {
    registry = await testRegistry();
  });

  const attestHash = ({ did, dataHash }: { did: string; dataHash: `0x${string}` }) =>
    registry.mined(registry.issuer.attestDataHash({ did, dataHash }));

  const verify = (did: string, options: Partial<Parameters<typeof verifyApp>[0]> = {}) =>
    verifyApp({ client: registry.publisher, did, fetchDocument, siteOf: getSite, ...options });

  describe("with a valid record", () => {
    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("passes every fact and step, with its evidence", async () => {
      const { publisher, issuer } = registry;
      const dataUrl = await serveHttp((_, response) => response.end(JSON.stringify(restMetadata(), null, 2)));
      const minted = await registerApp(registry, { dataUrl });
      await attestHash(minted);
      const report = await verify(minted.did);
      expect(outcomes(report)).toEqual(allPass);
      expect(stepOutcomes(report)).toEqual([
        "fetch pass",
        "canonicalize pass",
        "hash pass",
        "compare pass",
        "attestation pass",
      ]);
      expect(report).toMatchObject({ did: minted.did, version: "1.0.0", blockNumber: expect.any(Number) });
      const { control, content, attested, record } = report.facts;
      const statement = {
        issuer: issuer.account.address,
        startedAt: expect.any(Number),
        expiresAt: expect.any(Number),
      };
      expect(control.evidence).toMatchObject({
        controller: publisher.account.address,
        ...statement,
        waiting: false,
        overdue: false,
      });
      expect(attested.evidence).toMatchObject({ dataHash: minted.dataHash, ...statement });
      expect(record.evidence).toMatchObject({
        status: "Active",
        current: true,
        owner: publisher.account.address,
      });
      expect(content.evidence).toMatchObject({
        dataHash: minted.dataHash,
        dataHashAlgorithm: "keccak256",
        documents: [
          { source: "chain", outcome: "pass", hash: minted.dataHash },
          { source: "dataUrl", outcome: "pass", hash: minted.dataHash, location: dataUrl },
        ],
      });
    });

    it("returns JSON that matches the published schema", async () => {
      const { did } = await registerApp(registry);
      const report = await verify(did, { fetchDocument: undefined });
      expect(verificationReportSchema.parse(JSON.parse(JSON.stringify(report)))).toEqual(report);
    });

    it("checks only the chain's copy without fetchDocument", async () => {
      const minted = await registerApp(registry, { dataUrl: `${deadOrigin}/metadata.json` });
      await attestHash(minted);
      const report = await verify(minted.did, { fetchDocument: undefined });
      expect(outcomes(report)).toEqual(allPass);
    });

    it("checks only the document at dataUrl if the JSON is not on the chain", async () => {
      const dataUrl = await serveHttp((_, response) => response.end(JSON.stringify(restMetadata())));
      const minted = await registerApp(registry, { dataUrl, metadataJson: "" });
      expect((await verify(minted.did)).facts.content.outcome).toBe("pass");
      const unasked = await verify(minted.did, { fetchDocument: undefined });
      expect(unasked.facts).toMatchObject({
        content: { outcome: "unknown" },
        origin: { outcome: "unknown" },
      });
    });

    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("verifies a sha256 record with sha256", async () => {
      const { canonical, dataHash } = hashDocument(JSON.stringify(restMetadata()), 1);
      const { did } = await registerApp(registry, {
        dataHash,
        dataHashAlgorithm: 1,
        metadataJson: canonical,
      });
      const { facts } = await verify(did, { fetchDocument: undefined });
      expect(facts.content).toMatchObject({ outcome: "pass", evidence: { dataHashAlgorithm: "sha256" } });
    });
  });

  describe("with an older version", () => {
    const did = newDid();
    const first = mintParameters(did);
    const second = mintParameters(did, restMetadata("Weather 2", { traits: ["api:rest", "rain"] }));

    beforeAll(async () => {
      await registerApp(registry, first);
      await attestHash(first);
      const version = { major: 1, minor: 0, patch: 1 };
      await registry.mined(registry.publisher.updateAppControlled({ ...second, version, interfaces: 0 }));
    });

    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("checks its own hash, document and traits", async () => {
      const report = await verify(did, { version: first.version, fetchDocument: undefined });
      expect(outcomes(report)).toEqual(allPass);
      expect(report.version).toBe("1.0.0");
      expect(report.facts.record).toMatchObject({
        reason: expect.stringContaining("is not the latest; 1.0.1 is."),
        evidence: { current: false, dataHash: first.dataHash },
      });
    });

    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("does not apply its attestation to a newer version", async () => {
      const report = await verify(did, { version: { major: 1, minor: 0 }, fetchDocument: undefined });
      expect(report.version).toBe("1.0.1");
      expect(outcomes(report)).toEqual({ ...allPass, attested: "fail" });
      expect(report.facts.attested.evidence).toMatchObject({ attestations: [] });
    });

    it("reads its JSON although a newer major's JSON is the latest", async () => {
      const third = mintParameters(did, restMetadata("Weather 3"));
      await registry.mined(registry.publisher.mint({ ...third, version: { major: 2, minor: 0, patch: 0 } }));
      const old = await verify(did, { version: { major: 1 }, fetchDocument: undefined });
      expect(old).toMatchObject({ version: "1.0.1", facts: { content: { outcome: "pass" } } });
      expect((await verify(did, { fetchDocument: undefined })).version).toBe("2.0.0");
    });
  });

  describe("with an invalid record", () => {
    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("fails content if the document at dataUrl has changed, although the chain's copy has not", async () => {
      const dataUrl = await serveHttp((_, response) => response.end(JSON.stringify(restMetadata("Evil"))));
      const minted = await registerApp(registry, { dataUrl });
      await attestHash(minted);
      const report = await verify(minted.did);
      expect(outcomes(report)).toEqual({ ...allPass, content: "fail" });
      expect(stepOutcomes(report)[3]).toBe("compare fail");
      expect(report.facts.content.reason).toMatch(
        /copy on the chain matches the record.*at dataUrl doesn't match the record/,
      );
    });

    it("fails content if the document at dataUrl can't be canonicalized", async () => {
      const dataUrl = await serveHttp((_, response) => response.end('{"name":1,"name":2}'));
      const { did } = await registerApp(registry, { dataUrl, metadataJson: "" });
      const report = await verify(did);
      expect(report.facts).toMatchObject({
        content: { outcome: "fail" },
        origin: { outcome: "unknown" },
      });
      expect(stepOutcomes(report).slice(0, 4)).toEqual([
        "fetch pass",
        "canonicalize fail",
        "hash unknown",
        "compare unknown",
      ]);
    });

    // @threat documents: A check of the raw text, with another algorithm or version, or of a changed document
    it("fails content if the document matches the hash with the other algorithm only", async () => {
      const text = JSON.stringify(restMetadata());
      const dataUrl = await serveHttp((_, response) => response.end(text));
      const { did } = await registerApp(registry, {
        dataUrl,
        dataHash: hashDocument(text, 1).dataHash,
        dataHashAlgorithm: 0,
        metadataJson: "",
      });
      expect((await verify(did)).facts.content).toMatchObject({
        outcome: "fail",
        evidence: { dataHashAlgorithm: "keccak256" },
      });
    });

    it("fails control after a revocation, and states its time", async () => {
      const { did } = await registerApp(registry);
      await registry.mined(
        registry.issuer.revokeDid({ did, controller: registry.publisher.account.address }),
      );
      const { control, content } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(control.outcome).toBe("fail");
      expect(control.reason).toMatch(/was revoked or removed by a challenge on .*Z\.$/);
      expect(content.outcome).toBe("pass");
    });

    it("fails control after the attestation expired, and states that its renewal is overdue", async () => {
      const { publisher, issuer, chain, mined, passTime } = registry;
      const did = newDid();
      const expiresAt = Number((await chain.getBlock()).timestamp) + 100;
      await mined(issuer.attestDid({ did, controller: publisher.account.address, expiresAt }));
      await mined(publisher.mint(mintParameters(did)));
      await passTime(101);
      const { control } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(control).toMatchObject({ outcome: "fail", evidence: { overdue: true } });
      expect(control.reason).toMatch(/ expired on .*Z\. Its renewal is overdue\./);
    });

    it("fails control if the issuer is distrusted, and states since when", async () => {
      const { publisher, newAccount, addIssuer, distrustIssuer, mined } = registry;
      const did = newDid();
      const rogue = await newAccount();
      await addIssuer(rogue.account.address);
      await mined(rogue.attestDid({ did, controller: publisher.account.address }));
      await mined(publisher.mint(mintParameters(did)));
      const [attestation] = await publisher.getDidAttestations({
        did,
        controller: publisher.account.address,
      });
      await distrustIssuer(rogue.account.address, attestation?.startedAt);
      const since = new Date(Number(attestation?.startedAt) * 1_000).toISOString().replace(".000", "");
      const { control } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(control.outcome).toBe("fail");
      expect(control.reason).toContain(`${rogue.account.address} has been distrusted since ${since}`);
    });

    it("fails control of an account that a controller blocked, and states the end of the block", async () => {
      const { publisher, issuer, newAccount, attest, mined, passTime, chain } = registry;
      const { did } = await registerApp(registry);
      const thief = (await newAccount()).account.address;
      await attest(did, thief);
      const controller = publisher.account.address;
      await passTime(maturation);
      const until = Number((await chain.getBlock()).timestamp) + MAX_BLOCK;
      await mined(publisher.blockController({ did, controller: thief, until }));
      const tokenId = await publisher.tokenIdOf({ did, major: 1 });
      await mined(publisher.transfer({ from: controller, to: thief, tokenId }));
      await mined(issuer.revokeDid({ did, controller }));
      const { control } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(control).toMatchObject({
        outcome: "fail",
        reason: expect.stringContaining("but a controller of this DID blocked it until"),
        evidence: { controller: thief, waiting: true, blockedUntil: until, controlsFrom: until },
      });
    });

    it("fails control of an account in the waiting period, and states its end", async () => {
      const { publisher, issuer, newAccount, attest, mined } = registry;
      const { did } = await registerApp(registry);
      const buyer = (await newAccount()).account.address;
      await attest(did, buyer);
      const tokenId = await publisher.tokenIdOf({ did, major: 1 });
      await mined(publisher.transfer({ from: publisher.account.address, to: buyer, tokenId }));
      const byMinter = await verify(did, { fetchDocument: undefined });
      expect(byMinter.facts.control.reason).toMatch(
        new RegExp(`^The minter .* controls the DID: .* The current holder ${buyer} does not control it.$`),
      );
      await mined(issuer.revokeDid({ did, controller: publisher.account.address }));
      const { control } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(control).toMatchObject({
        outcome: "fail",
        reason: expect.stringContaining(
          "is in the waiting period because another account was attested for this DID before",
        ),
        evidence: { controller: buyer, role: "holder", waiting: true, controlsFrom: expect.any(Number) },
      });
    });

    it("passes attested if the issuer retired, and fails it if the issuer is distrusted", async () => {
      const { newAccount, addIssuer, retireIssuer, distrustIssuer, mined } = registry;
      const { did, dataHash } = await registerApp(registry);
      const auditor = await newAccount();
      await addIssuer(auditor.account.address);
      await mined(auditor.attestDataHash({ did, dataHash }));
      await retireIssuer(auditor.account.address);
      expect((await verify(did, { fetchDocument: undefined })).facts.attested.outcome).toBe("pass");
      await distrustIssuer(auditor.account.address);
      const { attested } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(attested).toMatchObject({
        outcome: "fail",
        reason: expect.stringContaining("has been distrusted"),
      });
    });

    it("returns notes about missing requirements and differing traits", async () => {
      const { publisher: _, ...metadata } = restMetadata("Weather", {
        endpoints: [],
        traits: ["api:rest", "rain"],
      });
      const { traitHashes } = mintParameters(newDid());
      const { did } = await registerApp(registry, { ...mintParameters(newDid(), metadata), traitHashes });
      const { notes } = await verify(did, { fetchDocument: undefined });
      expect(notes?.map(({ code }) => code)).toEqual(
        expect.arrayContaining(["missing-endpoint", "trait-not-on-record", "trait-not-in-document"]),
      );
    });

    it("fails record if the record is Deprecated", async () => {
      const { did } = await registerApp(registry);
      await registry.mined(registry.publisher.updateStatus({ did, major: 1, status: 1 }));
      const { record } = (await verify(did, { fetchDocument: undefined })).facts;
      expect(record).toMatchObject({
        outcome: "fail",
        reason: expect.stringContaining("Deprecated"),
        evidence: { status: "Deprecated" },
      });
    });

    it("reads the chain at the given block", async () => {
      const { did } = await registerApp(registry);
      const { blockNumber } = await verify(did, { fetchDocument: undefined });
      await registry.mined(registry.publisher.updateStatus({ did, major: 1, status: 1 }));
      const report = await verify(did, { fetchDocument: undefined, blockNumber: BigInt(blockNumber ?? 0) });
      expect(report).toMatchObject({ blockNumber, facts: { record: { outcome: "pass" } } });
    });

    it.each([undefined, { major: 1, minor: 0, patch: 0 }])(
      "fails record for a DID without a record (%o)",
      async (version) => {
        const report = await verify(newDid(), { version });
        expect(outcomes(report)).toEqual({
          record: "fail",
          control: "unknown",
          content: "unknown",
          attested: "unknown",
          origin: "unknown",
        });
        expect(report).toMatchObject({ version: null, tokenId: null });
      },
    );

    it("fails record for a version that was never published", async () => {
      const { did } = await registerApp(registry);
      const { record } = (await verify(did, { version: { major: 1, minor: 4, patch: 0 } })).facts;
      expect(record).toMatchObject({ outcome: "fail", reason: `Version 1.4.0 of ${did} is not registered.` });
    });
  });
});
