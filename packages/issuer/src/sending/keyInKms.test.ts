import { fileURLToPath } from "node:url";
import {
  createTestClient,
  http,
  type LocalAccount,
  parseEther,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { chain, fixture, useIssuer, wallet } from "../../test/support/issuerFixture.ts";
import { type KmsServer, startKms } from "../../test/support/kmsServer.ts";
import { AccountError, type CreateIssuerOptions, IssuerKeyError, readAccount } from "../index.ts";

const example = fileURLToPath(new URL("../../../../examples/issuer-key-in-kms/account.ts", import.meta.url));

let kms: KmsServer;
let account: LocalAccount;

/** Environment variables of an operator for a KMS. */
function configure({ url, keyId }: KmsServer) {
  vi.stubEnv("KMS_KEY_ID", keyId);
  vi.stubEnv("AWS_REGION", "eu-central-1");
  vi.stubEnv("AWS_ENDPOINT_URL_KMS", url);
  vi.stubEnv("AWS_ACCESS_KEY_ID", "test");
  vi.stubEnv("AWS_SECRET_ACCESS_KEY", "test");
}
const open = (problems: string[] = []) => readAccount({ ISSUER_ACCOUNT_MODULE: example }, problems);

useIssuer({ starts: false, once: true });
beforeAll(async () => {
  kms = await startKms();
  configure(kms);
  const problems: string[] = [];
  account = (await open(problems)?.()) as LocalAccount;
  expect(problems).toEqual([]);
  await chain.asOwner({ functionName: "addIssuer", args: [account.address] });
  const node = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(fixture.rpcUrl) });
  await node.setBalance({ address: account.address, value: parseEther("1") });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await kms.close();
});

const start = async (options: Partial<CreateIssuerOptions> = {}) =>
  (await chain.startProcess({ account, ...options })).issuer;

describe("an issuer whose key is in a KMS", () => {
  it("signs with its address and the lower s, regardless of the s that the KMS returns", async () => {
    const before = { ...kms.signed };
    const transactions = [
      { type: "eip1559", chainId: 31337, nonce: 1, gas: 21_000n, maxFeePerGas: 2n, to: account.address },
      { type: "legacy", chainId: 31337, nonce: 1, gas: 21_000n, gasPrice: 2n, to: account.address },
    ] as const;
    const typedData = { types: { A: [{ name: "n", type: "uint256" }] }, primaryType: "A" } as const;
    const half = BigInt("0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");
    for (let count = 0; count < 4; count++) {
      const message = `message ${count}`;
      const signature = await account.signMessage({ message });
      expect(await recoverMessageAddress({ message, signature })).toBe(account.address);
      const data = { ...typedData, message: { n: BigInt(count) } };
      const ofData = await account.signTypedData(data);
      expect(await recoverTypedDataAddress({ ...data, signature: ofData })).toBe(account.address);
      const serializedTransaction = await account.signTransaction({
        ...transactions[count % 2 ? 1 : 0],
        value: BigInt(count),
      });
      expect(
        await recoverTransactionAddress({ serializedTransaction: serializedTransaction as "0x02" }),
      ).toBe(account.address);
      expect(BigInt(parseTransaction(serializedTransaction).s ?? 0n)).toBeLessThanOrEqual(half);
    }
    expect(kms.signed.low - before.low).toBe(6);
    expect(kms.signed.high - before.high).toBe(6);
  });

  it("attests on the chain", async () => {
    const issuer = await start();
    for (let count = 0; count < 2; count++) {
      const did = fixture.host.did(wallet);
      expect(await issuer.verifyAndAttest({ did, connectedAddress: wallet })).toMatchObject({
        status: "attested",
        attestations: [{ issuer: account.address }],
      });
    }
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("attests nothing while the KMS refuses, hides the reason from callers, and works again afterwards", async () => {
    const issuer = await start();
    const did = fixture.host.did(wallet);
    const ask = () => issuer.verifyAndAttest({ did, connectedAddress: wallet });
    kms.refuse(true);
    const refusal = await ask().catch((error: unknown) => error);
    expect(refusal).toBeInstanceOf(IssuerKeyError);
    expect(refusal).toMatchObject({ retryable: true });
    expect((refusal as Error).message).not.toContain("arn:");
    const opening = open()?.();
    await expect(opening).rejects.toBeInstanceOf(AccountError);
    await expect(opening).rejects.toMatchObject({
      retryable: true,
      shortMessage: expect.stringContaining("AccessDeniedException"),
    });
    kms.refuse(false);
    expect(await ask()).toMatchObject({ status: "attested" });
  });

  it("does not start with a key of another curve", async () => {
    const other = await startKms("prime256v1");
    configure(other);
    await expect(open()?.()).rejects.toBeInstanceOf(AccountError);
    configure(kms);
    await other.close();
  });
});
