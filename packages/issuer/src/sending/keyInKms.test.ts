import { fileURLToPath } from "node:url";
import { createGuardedFetch } from "@app-registry/outbound";
import type { Deployment } from "@app-registry/sdk";
import { createAppRegistryClient, sendSignedAttestation } from "@app-registry/sdk";
import { callAsOwner } from "@app-registry/test-kit/callAsOwner";
import { deployContracts, testAccount, testClients } from "@app-registry/test-kit/deployContracts";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { freePort } from "@app-registry/test-kit/freePort";
import { type HardhatNode, startHardhatNode } from "@app-registry/test-kit/hardhatNode";
import { createDatabase, type PostgresDatabase } from "@app-registry/test-kit/postgres";
import type { Pool } from "pg";
import {
  createTestClient,
  http,
  type LocalAccount,
  type PublicClient,
  parseEther,
  parseTransaction,
  recoverMessageAddress,
  recoverTransactionAddress,
  recoverTypedDataAddress,
} from "viem";
import { hardhat } from "viem/chains";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type KmsServer, startKms } from "../../test/support/kmsServer.ts";
import {
  AccountError,
  type CreateIssuerOptions,
  createIssuer,
  IssuerKeyError,
  readAccount,
} from "../index.ts";

const example = fileURLToPath(new URL("../../../../examples/issuer-key-in-kms/account.ts", import.meta.url));
const wallet = testAccount(1);

let kms: KmsServer;
let node: HardhatNode;
let postgres: PostgresDatabase;
let database: Pool;
let host: DidHost;
let deployment: Deployment;
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

beforeAll(async () => {
  [kms, node, host, postgres] = await Promise.all([
    startKms(),
    startHardhatNode(await freePort()),
    startDidHost(),
    createDatabase(),
  ]);
  database = postgres.connect();
  configure(kms);
  const problems: string[] = [];
  account = (await open(problems)?.()) as LocalAccount;
  expect(problems).toEqual([]);
  deployment = await deployContracts(node.rpcUrl, { issuer: testAccount(19).address });
  await callAsOwner(node.rpcUrl, deployment, { functionName: "addIssuer", args: [account.address] });
  const chain = createTestClient({ chain: hardhat, mode: "hardhat", transport: http(node.rpcUrl) });
  await chain.setBalance({ address: account.address, value: parseEther("1") });
});
afterAll(async () => {
  vi.unstubAllEnvs();
  await database.end();
  await Promise.all([kms.close(), node.stop(), host.close(), postgres.stop()]);
});

async function issuerWith(options: Partial<CreateIssuerOptions> = {}) {
  const issuer = await createIssuer({
    ...{ account, deployment, database, allowLoopback: true },
    publicClient: testClients(node.rpcUrl, wallet).publicClient as PublicClient,
    guardedFetch: createGuardedFetch({ allowLoopback: true, timeout: 10_000 }),
    ...options,
  });
  onTestFinished(() => issuer.close());
  return issuer;
}

describe("an issuer whose key is in a KMS", () => {
  it("signs with its address and the lower s, regardless of the s that the KMS returns", async () => {
    const before = { ...kms.signed };
    const transactions = [
      { type: "eip1559", chainId: 31337, nonce: 1, gas: 21_000n, maxFeePerGas: 2n, to: account.address },
      { type: "legacy", chainId: 31337, nonce: 1, gas: 21_000n, gasPrice: 2n, to: account.address },
    ] as const;
    const typedData = { types: { A: [{ name: "n", type: "uint256" }] }, primaryType: "A" } as const;
    const half = BigInt("0x7fffffffffffffffffffffffffffffff5d576e7357a4501ddfe92f46681b20a0");
    for (let count = 0; count < 60; count++) {
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
    expect(kms.signed.low - before.low).toBe(90);
    expect(kms.signed.high - before.high).toBe(90);
  });

  it("attests on the chain", async () => {
    const issuer = await issuerWith();
    for (let count = 0; count < 6; count++) {
      const did = host.did(wallet.address);
      expect(await issuer.verifyAndAttest({ did, connectedAddress: wallet.address })).toMatchObject({
        status: "attested",
        attestations: [{ issuer: account.address }],
      });
    }
  });

  it("signs attestations for publishers to submit", async () => {
    const issuer = await issuerWith({ mode: "sign" });
    const publisher = createAppRegistryClient({ deployment, ...testClients(node.rpcUrl, wallet) });
    for (let count = 0; count < 2; count++) {
      const did = host.did(wallet.address);
      const result = await issuer.verifyAndAttest({ did, connectedAddress: wallet.address });
      if (result.status !== "signed") throw new Error(result.status);
      for (const signed of result.signatures) {
        await publisher.waitForReceipt({ hash: await sendSignedAttestation(publisher, signed) });
      }
      expect(await publisher.checkDid({ did, controller: wallet.address })).toBe(true);
    }
  });

  // @threat services: A stack trace or a key in an answer, log or readable file
  it("attests nothing while the KMS refuses, hides the reason from callers, and works again afterwards", async () => {
    const issuer = await issuerWith();
    const did = host.did(wallet.address);
    const ask = () => issuer.verifyAndAttest({ did, connectedAddress: wallet.address });
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
