import { UnusableAddressError } from "@app-registry/outbound";
import { RpcUnavailableError } from "@app-registry/sdk";
import { type Address, createPublicClient, encodeAbiParameters, getAddress, http } from "viem";
import { describe, expect, it } from "vitest";
import { startContractChain } from "../../test/support/contractChain.ts";
import { readAgentUri, readContractFindings } from "./readContractFindings.ts";

const owner = getAddress("0x00000000000000000000000000000000000aaaaa");

const { client, place, deploy } = await startContractChain();

const read = (address: Address, chainId?: number) =>
  readContractFindings({ chainId, address }, { chainIds: [31337], chainClient: () => client });

/** Code that returns up to 255 given bytes for every call. */
const answering = (data: string) =>
  `60${(data.length / 2).toString(16).padStart(2, "0")}600c60003960${(data.length / 2).toString(16).padStart(2, "0")}6000f3${data}`;
const word = (value: number) => value.toString(16).padStart(64, "0");

describe("readContractFindings", () => {
  it("finds DID and owner of a contract without a given chain", async () => {
    const address = (await deploy("ProxyAdmin", [owner])) as Address;
    expect(await read(address)).toEqual([
      {
        kind: "contract",
        url: `did:pkh:eip155:31337:${address.toLowerCase()}`,
        metadata: {},
        interfaces: 4,
        offers: [],
        owner,
      },
    ]);
  });

  it("uses the name that a contract returns", async () => {
    const text = Buffer.from("Counter").toString("hex").padEnd(64, "0");
    const address = await place(answering(word(32) + word(7) + text));
    expect((await read(address))[0]?.metadata).toEqual({ name: "Counter" });
  });

  it.each([
    ["a length beyond the data", word(32) + word(2 ** 40)],
    ["an offset beyond the data", word(2 ** 40) + word(7)],
    ["control characters", word(32) + word(2) + "0107".padEnd(64, "0")],
    ["nothing", ""],
    ["spaces alone", word(32) + word(2) + "2020".padEnd(64, "0")],
  ])("omits a name of %s", async (_, data) => {
    expect((await read(await place(answering(data))))[0]?.metadata).toEqual({});
  });

  it("finds nothing at an address without code or with only a delegation", async () => {
    expect(await read("0x000000000000000000000000000000000000dEaD")).toEqual([]);
    expect(await read(await place(`ef0100${owner.slice(2)}`))).toEqual([]);
  });

  it("rejects a chain that is not configured", async () => {
    await expect(read(owner, 10)).rejects.toThrow(UnusableAddressError);
    await expect(read(owner, 10)).rejects.toThrow(
      "This registry can't read chain 10. Supported: chain 31337.",
    );
  });
});

/** Code that returns 32 bytes for `ownerOf` and the rest of the data for any other call. */
const registering = (owned: string, data: string) => {
  const length = (data.length / 2).toString(16).padStart(4, "0");
  return `60003560e01c636352211e14601e5761${length}61004c60003961${length}6000f35b602061002c60003960206000f3${owned}${data}`;
};

describe("readAgentUri", () => {
  const chains = { chainIds: [31337], chainClient: () => client };
  const readAgent = (address: Address, chainId: number | undefined = 31337) =>
    readAgentUri({ chainId, address }, 22n, chains);
  const owned = word(0).slice(40) + owner.slice(2);
  const encodeUri = (uri: string) => encodeAbiParameters([{ type: "string" }], [uri]).slice(2);

  it.each([
    ["a URL", "https://agent.example.com/agent.json"],
    ["nothing", ""],
    ["a file of 20 kB", `data:application/json,${"x".repeat(20_000)}`],
  ])("reads an agent whose URI is %s", async (_, uri) => {
    const registry = await place(registering(owned, encodeUri(uri)));
    expect(await readAgent(registry)).toBe(uri);
  });

  it("reads an agent whose URI is not a text", async () => {
    const registry = await place(registering(owned, word(2 ** 40)));
    expect(await readAgent(registry)).toBe("");
  });

  it("finds no agent if the registry reverts, has no code or returns no address", async () => {
    for (const address of [
      await place("60006000fd"),
      await place(registering("f".repeat(64), encodeUri("https://agent.example.com/"))),
      "0x000000000000000000000000000000000000dEaD",
    ] as const)
      expect(await readAgent(address)).toBeNull();
  });

  it("returns undefined for a chain that is not configured", async () => {
    expect(await readAgent(owner, 10)).toBeUndefined();
    expect(await readAgentUri({ chainId: undefined, address: owner }, 22n, chains)).toBeUndefined();
  });

  it("throws if the chain does not respond", async () => {
    const silent = createPublicClient({ transport: http("http://127.0.0.1:9", { retryCount: 0 }) });
    const unavailable = { chainIds: [31337], chainClient: () => silent };
    const answer = readAgentUri({ chainId: 31337, address: owner }, 22n, unavailable);
    await expect(answer).rejects.toThrow(RpcUnavailableError);
  });
});
