import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearly, nearlyJson, unlessRefused } from "../test/arbitraries.ts";
import { InvalidDeploymentError, parseDeployment } from "./deployment.ts";

const abiHash = `0x${"ab".repeat(32)}`;
const contract = { address: "0x5fbdb2315678afecb367f032d93f642f64180aa3", abiHash };
const file = {
  chainId: 31337,
  network: "localhost",
  deployBlock: 1,
  contracts: { AppRegistry: contract, AppMetadata: contract, ResolverWithStore: contract },
  compiler: { version: "0.8.37", settings: { viaIR: true } },
};

describe("parseDeployment", () => {
  it("reads a deployment from its text or its value, with checksummed addresses", () => {
    const deployment = parseDeployment(JSON.stringify(file));
    expect(deployment).toEqual(parseDeployment(file));
    expect(deployment.contracts.AppRegistry.address).toBe("0x5FbDB2315678afecb367f032d93F642f64180aa3");
  });

  it.each([
    [
      "contracts.AppMetadata.address",
      { contracts: { ...file.contracts, AppMetadata: { ...contract, address: "0x12" } } },
    ],
    [
      "contracts.AppRegistry.abiHash",
      { contracts: { ...file.contracts, AppRegistry: { ...contract, abiHash: "0x" } } },
    ],
    ["deployBlock", { deployBlock: -1 }],
    ["chainId", { chainId: 0 }],
  ])("names the wrong field %s", (field, change) => {
    expect(() => parseDeployment({ ...file, ...change })).toThrow(InvalidDeploymentError);
    expect(() => parseDeployment({ ...file, ...change })).toThrow(field);
  });

  it("says what to do with a file that is no JSON", () => {
    expect(() => parseDeployment("{")).toThrow("DEPLOYMENT_FILE");
  });

  it("throws nothing but its own error, and reads what it returns as the same", () => {
    const value = nearlyJson(
      file,
      fc.oneof(fc.jsonValue(), fc.constantFrom(contract.address, abiHash, 1, 0, "0x")),
    );
    const text = nearly(
      value.map((given) => JSON.stringify(given) ?? ""),
      ["{", "}", ",", '"', "0"],
    );
    fc.assert(
      fc.property(fc.oneof(value, text, fc.anything()), (given) => {
        const deployment = unlessRefused(() => parseDeployment(given), InvalidDeploymentError);
        if (deployment === undefined) return;
        expect(parseDeployment(deployment)).toEqual(deployment);
        expect(parseDeployment(JSON.stringify(deployment))).toEqual(deployment);
      }),
    );
  });
});
