import { nearly, nearlyJson, unlessRefused } from "@app-registry/test-kit/arbitraries";
import fc from "fast-check";
import { createPublicClient, http } from "viem";
import { describe, expect, it } from "vitest";
import { createAppRegistryClient } from "./client/createAppRegistryClient.ts";
import { AbiMismatchError, computeAbiHash, InvalidDeploymentError, parseDeployment } from "./deployment.ts";

const address = "0x5fbdb2315678afecb367f032d93f642f64180aa3";
const otherHash = `0x${"ab".repeat(32)}`;
const file = {
  chainId: 31337,
  network: "localhost",
  deployBlock: 1,
  contracts: {
    AppRegistry: { address, abiHash: computeAbiHash("AppRegistry") },
    AppMetadata: { address, abiHash: computeAbiHash("AppMetadata") },
    ResolverWithStore: { address, abiHash: computeAbiHash("ResolverWithStore") },
  },
  compiler: { version: "0.8.37", settings: { viaIR: true } },
};

const changed = (name: keyof typeof file.contracts, change: object) => ({
  contracts: { ...file.contracts, [name]: { ...file.contracts[name], ...change } },
});

describe("parseDeployment", () => {
  it("reads a deployment from its text or its value, with checksummed addresses", () => {
    const deployment = parseDeployment(JSON.stringify(file));
    expect(deployment).toEqual(parseDeployment(file));
    expect(deployment.contracts.AppRegistry.address).toBe("0x5FbDB2315678afecb367f032d93F642f64180aa3");
  });

  it.each([
    ["contracts.AppMetadata.address", changed("AppMetadata", { address: "0x12" })],
    ["contracts.AppRegistry.abiHash", changed("AppRegistry", { abiHash: "0x" })],
    ["contracts.AppRegistry.abiHash", changed("AppRegistry", { abiHash: undefined })],
    ["deployBlock", { deployBlock: -1 }],
    ["chainId", { chainId: 0 }],
  ])("names the wrong field %s", (field, change) => {
    expect(() => parseDeployment({ ...file, ...change })).toThrow(InvalidDeploymentError);
    expect(() => parseDeployment({ ...file, ...change })).toThrow(field);
  });

  it("names DEPLOYMENT_FILE in the error for a file that is not JSON", () => {
    expect(() => parseDeployment("{")).toThrow("DEPLOYMENT_FILE");
  });

  it("rejects contracts with another ABI, and names them and the action", () => {
    const other = { ...file, ...changed("ResolverWithStore", { abiHash: otherHash }) };
    expect(() => parseDeployment(other)).toThrow(AbiMismatchError);
    expect(() => parseDeployment(other)).toThrow(
      /^The ABI of ResolverWithStore in this deployment doesn't match this version of App Registry\. Use the version .*, or deploy the contracts again\.$/m,
    );
    expect(parseDeployment(other, { anyAbi: true }).contracts.ResolverWithStore.abiHash).toBe(otherHash);
    const publicClient = createPublicClient({ transport: http("http://127.0.0.1:1") });
    const deployment = parseDeployment(other, { anyAbi: true });
    expect(() => createAppRegistryClient({ deployment, publicClient })).toThrow(AbiMismatchError);
  });

  it("throws only its own errors, and parses its own result to the same value", () => {
    const value = nearlyJson(file, fc.oneof(fc.jsonValue(), fc.constantFrom(address, otherHash, 1, 0, "0x")));
    const text = nearly(
      value.map((given) => JSON.stringify(given) ?? ""),
      ["{", "}", ",", '"', "0"],
    );
    fc.assert(
      fc.property(fc.oneof(value, text, fc.anything()), (given) => {
        const deployment = unlessRefused(
          () => parseDeployment(given),
          InvalidDeploymentError,
          AbiMismatchError,
        );
        if (deployment === undefined) return;
        expect(parseDeployment(deployment)).toEqual(deployment);
        // JSON has neither -0 nor holes in arrays, which the compiler settings of this value may have.
        const text = JSON.stringify(deployment);
        expect(parseDeployment(text)).toEqual(JSON.parse(text));
      }),
    );
  });
});
