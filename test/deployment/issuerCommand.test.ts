import { expect } from "chai";
import { id, ZeroHash } from "ethers";
import { issuerCommandSchema } from "../../scripts/deployment/issuerStatements.ts";

const ISSUER = "0x8626f6940E2eb28930eFb4CeF49B2d1F2C9C1199";
const CONTROLLER = "0xdD2FD4581271e230360230F9337D5c0430Bf44C0";

const readIssuerCall = (action: string, issuer: string, options: object) =>
  issuerCommandSchema.parse({ action, issuer, ...options });

describe("issuerCommandSchema", () => {
  it("accepts spaces and lower-case addresses", () => {
    expect(readIssuerCall("add", ` ${ISSUER.toLowerCase()}`, {})).to.deep.equal({
      action: "call",
      name: "addIssuer",
      args: [ISSUER],
    });
    expect(readIssuerCall("retire", ISSUER, {})).to.deep.equal({
      action: "call",
      name: "retireIssuer",
      args: [ISSUER],
    });
  });

  const times: [text: string, seconds: bigint][] = [
    ["0", 0n],
    ["1769860800", 1_769_860_800n],
    ["2026-01-31T12:00Z", 1_769_860_800n],
    ["2026-01-31T12:00:00.999Z", 1_769_860_800n],
    ["2026-01-31T14:00:00+02:00", 1_769_860_800n],
    ["2028-02-29T00:00:00Z", 1_835_395_200n],
  ];
  for (const [since, seconds] of times) {
    it(`accepts the time ${since}`, () => {
      expect(readIssuerCall("distrust", ISSUER, { since })).to.deep.equal({
        action: "call",
        name: "distrustIssuer",
        args: [ISSUER, seconds],
      });
    });
  }

  for (const since of [
    "yesterday",
    "2026-01-31",
    "2026-01-31T12:00:00",
    "2026-02-30T12:00:00Z",
    "2026-13-01T12:00:00Z",
    "1969-12-31T23:59:59Z",
    "1769860800000",
    "-1",
    "",
  ]) {
    it(`refuses "${since}" as a time`, () => {
      expect(() => readIssuerCall("distrust", ISSUER, { since })).to.throw(/neither a time like .* nor/);
    });
  }

  it("identifies the statement to end", () => {
    expect(
      readIssuerCall("end", ISSUER, { did: "did:web:EXAMPLE.com", controller: CONTROLLER }),
    ).to.deep.equal({
      action: "call",
      name: "endDIDAttestation",
      args: [id("did:web:example.com"), CONTROLLER, ISSUER],
    });
    expect(
      readIssuerCall("end", ISSUER, { did: "did:web:example.com", "data-hash": id("document") }),
    ).to.deep.equal({
      action: "call",
      name: "endDataHashAttestation",
      args: [id("did:web:example.com"), id("document"), ISSUER],
    });
  });

  const did = "did:web:example.com";
  const refused: [why: string, call: () => unknown, message: RegExp][] = [
    ["no time", () => readIssuerCall("distrust", ISSUER, {}), /--since/],
    ["no DID", () => readIssuerCall("end", ISSUER, { controller: CONTROLLER }), /--did/],
    ["neither controller nor hash", () => readIssuerCall("end", ISSUER, { did }), /either --controller/],
    [
      "controller and hash",
      () => readIssuerCall("end", ISSUER, { did, controller: CONTROLLER, "data-hash": ZeroHash }),
      /either --controller/,
    ],
    [
      "a short hash",
      () => readIssuerCall("end", ISSUER, { did, "data-hash": "0x01" }),
      /0x01.* is not a hash/,
    ],
    ["a time for retiring", () => readIssuerCall("retire", ISSUER, { since: "0" }), /Unrecognized key/],
    ["no account", () => readIssuerCall("add", "vitalik.eth", {}), /is not an address/],
  ];
  for (const [why, call, message] of refused) {
    it(`refuses a command with ${why}`, () => {
      expect(call).to.throw(message);
    });
  }
});
