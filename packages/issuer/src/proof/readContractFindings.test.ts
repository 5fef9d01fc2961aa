import { UnusableAddressError } from "@app-registry/outbound";
import { type Address, getAddress } from "viem";
import { describe, expect, it } from "vitest";
import { contractChain } from "../../test/support/contractChain.ts";
import { readContractFindings } from "./contractControl.ts";

const owner = getAddress("0x00000000000000000000000000000000000aaaaa");

const { client, place, deploy } = await contractChain();

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
