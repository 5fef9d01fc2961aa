import { testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { startFaultyRpc } from "@app-registry/test-kit/faultyRpc";
import {
  accessControl,
  adminSlot,
  beaconSlot,
  createClone,
  getter,
  hasRole,
  namesItself,
  selectors,
  supportsAccessControl,
  supportsErc165,
} from "@app-registry/test-kit/runtimeCode";
import { type Address, createPublicClient, getAddress, http, pad, zeroAddress } from "viem";
import { describe, expect, it } from "vitest";
import { contractChain } from "../../test/support/contractChain.ts";
import { readContractControl } from "./contractControl.ts";

const owner = getAddress("0x00000000000000000000000000000000000aaaaa");
const other = getAddress("0x00000000000000000000000000000000000bbbbb");

const { rpcUrl, client, place, setSlot, deploy } = await contractChain();

const read = (address: Address, controller: Address = owner) =>
  readContractControl({ client, chainId: 31337, address, controller });

describe("a contract that returns itself as owner", () => {
  it.each<[string, () => Promise<Address>]>([
    ["owner()", () => place(namesItself("owner()"))],
    ["getOwner()", () => place(namesItself("getOwner()"))],
    ["admin()", () => place(namesItself("admin()"))],
    ["owner(), as a clone (EIP-1167)", async () => place(createClone(await place(namesItself("owner()"))))],
    [
      "EIP-1967 admin",
      async () => {
        const proxy = await place("5f5ffd");
        await setSlot(proxy, adminSlot, proxy);
        return proxy;
      },
    ],
    [
      "EIP-1967 admin, through its ProxyAdmin",
      async () => {
        const proxy = await place("5f5ffd");
        await setSlot(proxy, adminSlot, await place(getter("owner()", proxy)));
        return proxy;
      },
    ],
    [
      "EIP-1967 beacon",
      async () => {
        const proxy = await place("5f5ffd");
        await setSlot(proxy, beaconSlot, await place(getter("owner()", proxy)));
        return proxy;
      },
    ],
    ["DEFAULT_ADMIN_ROLE", () => deploy("TimelockController", [0n, [], [], zeroAddress])],
    // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  ])("does not control itself by %s, and no later method is tried", async (way, make) => {
    const contract = await make();
    const control = await read(contract, contract);
    expect(control.owner).toBeUndefined();
    const decisive = control.answers.at(-1);
    expect(way.startsWith(decisive?.way ?? "?")).toBe(true);
    expect(decisive?.reason).toContain("itself");
  });

  it.each([
    ["ProxyAdmin", adminSlot],
    ["beacon", beaconSlot],
  ] as const)("controls nothing as the %s of another", async (_, slot) => {
    const holder = await place(namesItself("owner()"));
    const proxy = await place("5f5ffd");
    await setSlot(proxy, slot, holder);
    const control = await read(proxy, holder);
    expect(control.owner).toBeUndefined();
    expect(control.answers.at(-1)).toMatchObject({ through: getAddress(holder) });
  });
});

describe("an account that delegates to code (EIP-7702)", () => {
  const delegating = async (delegate: Address) => place(`ef0100${delegate.slice(2)}`);

  it.each<[string, () => string]>([
    ["owner()", () => getter("owner()", other)],
    ["getOwner()", () => getter("getOwner()", other)],
    ["admin()", () => getter("admin()", other)],
    ["owner() with itself", () => namesItself("owner()")],
    ["the zero address", () => getter("owner()", zeroAddress)],
    [
      "DEFAULT_ADMIN_ROLE",
      () => accessControl([supportsErc165, supportsAccessControl, hasRole(owner), hasRole(other)]),
    ],
    ["nothing", () => "5f5ffd"],
    // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  ])("belongs to its key if its delegate returns %s", async (_, code) => {
    const account = await delegating(await place(code()));
    await setSlot(account, adminSlot, other);
    await setSlot(account, beaconSlot, other);
    for (const controller of [account, owner, other]) {
      expect((await read(account, controller)).answers).toEqual([
        { way: "EIP-7702 key", owner: getAddress(account) },
      ]);
    }
  });

  it("belongs to its key if it delegates to another such account", async () => {
    const account = await delegating(await delegating(await place(getter("owner()", other))));
    expect((await read(account)).owner).toBe(getAddress(account));
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it.each([
    ["EIP-1967 admin", adminSlot],
    ["EIP-1967 beacon", beaconSlot],
  ] as const)("is itself the account that an %s is, not whom its delegate names", async (way, slot) => {
    const account = await delegating(await place(getter("owner()", other)));
    const proxy = await place("5f5ffd");
    await setSlot(proxy, slot, account);
    expect((await read(proxy)).answers.at(-1)).toEqual({ way, owner: getAddress(account) });
  });

  it("controls a contract whose owner it is", async () => {
    const account = await delegating(await place(getter("owner()", other)));
    expect((await read(await place(getter("owner()", account)))).owner).toBe(getAddress(account));
  });

  it.each([
    ["a byte short", -2, ""],
    ["a byte long", undefined, "00"],
  ])("is treated as a contract if its code is %s", async (_, end, more) => {
    const account = await delegating(await place(getter("owner()", other)));
    const rpc = await startFaultyRpc(rpcUrl);
    // Ethereum nodes reject such code (EIP-3541), but another chain may allow it.
    rpc.break(({ method }) =>
      method === "eth_getCode"
        ? { replace: (code: unknown) => `${String(code).slice(0, end)}${more}` }
        : "pass",
    );
    const client = createPublicClient({ transport: http(rpc.url, { retryCount: 0 }) });
    const control = await readContractControl({
      client,
      chainId: 31337,
      address: account,
      controller: account,
    });
    expect(control.owner).not.toBe(getAddress(account));
    expect(control.answers[0]?.way).toBe("owner()");
    await rpc.close();
  });

  // @threat services: A contract that is mistaken for a key, owns itself, or has a former signer or no owner
  it("has a delegation from the transaction that sets it to the one that clears it", async () => {
    const key = testAccount(5);
    const { walletClient, publicClient } = testClients(rpcUrl, testAccount(6));
    const delegate = async (contractAddress: Address) => {
      const authorization = await walletClient.signAuthorization({ account: key, contractAddress });
      const hash = await walletClient.sendTransaction({ to: other, authorizationList: [authorization] });
      expect(await publicClient.waitForTransactionReceipt({ hash })).toMatchObject({ type: "eip7702" });
    };
    const delegated = await place(getter("owner()", other));
    expect((await read(key.address, key.address)).owner).toBeUndefined();
    await delegate(delegated);
    expect(await publicClient.getCode({ address: key.address })).toBe(`0xef0100${delegated.slice(2)}`);
    expect(await publicClient.call({ to: key.address, data: `0x${selectors["owner()"]}` })).toMatchObject({
      data: pad(other).toLowerCase(),
    });
    expect((await read(key.address, other)).owner).toBe(key.address);
    await delegate(zeroAddress);
    expect((await read(key.address, key.address)).owner).toBeUndefined();
  });
});
