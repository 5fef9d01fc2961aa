import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { requestAttestation } from "@app-registry/sdk";
import { creationCode } from "@app-registry/test-kit/deployContracts";
import type { Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type startPostgres, type startTestnet, TESTNET } from "./machine.ts";
import type { Shell } from "./shell.ts";

type Testnet = Awaited<ReturnType<typeof startTestnet>>;
type Postgres = Awaited<ReturnType<typeof startPostgres>>;

/** Columns of a transaction of the issuer. */
type Transaction = { nonce: string; attempts: { hash: Hex }[] };

/**
 * Checks that a restored backup contains the data that the chain lacks: a transaction that the issuer signed and every
 * node dropped, and the results of checking dataUrls.
 */
export function checkRestored(shell: Shell, { client }: Testnet, { query }: Postgres, webUrl: string) {
  let kept: { transaction: Transaction | undefined; records: object[] };
  let wallet: LocalAccount;
  let did: string;

  const transactions = (where: string) =>
    query<Transaction>(
      `select nonce::text, attempts from app_registry_issuer.transactions where ${where} order by nonce`,
    );
  const records = () =>
    query<{ checked_at: number | null }>(
      `select did, state, checked_at from app_registry_documents_${TESTNET}.record order by did`,
    );
  const attest = () =>
    requestAttestation({
      ...{ baseUrl: webUrl, did, connectedAddress: wallet.address, requiredSchemas: ["did-ownership"] },
      signMessage: (message) => wallet.signMessage({ message }),
    });

  /** Deploys a contract that the deployer owns and whose DID has no attestation. */
  async function deployOwned(): Promise<string> {
    const folder = (await shell.run('printf %s "$PWD"')).output;
    wallet = privateKeyToAccount((await readFile(join(folder, "deployer.key"), "utf8")).trim() as Hex);
    const data = creationCode("examples/OwnableService", [wallet.address]);
    const hash = await client.sendTransaction({ data, account: wallet });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    return `did:pkh:eip155:${TESTNET}:${contractAddress?.toLowerCase()}`;
  }

  return {
    /** Causes a check of a dataUrl on an unavailable host, and stops the chain after the issuer has signed. */
    async leaveWorkOpen(): Promise<void> {
      const place = "--no-on-chain-json --data-url https://documents.invalid/resolver.json";
      // No host serves the document, so its dataHash can't be attested and that step of `publish` fails.
      const { output } = await shell.run(
        `PRIVATE_KEY=$(cat deployer.key) npx -y pnpm@10 exec app-registry publish resolver.json --did ${await deployOwned()} --version 1.0.0 ${place} --registry ${webUrl} --yes || true`,
      );
      assert.match(output, /Published did:pkh/);
      await until(async () => (await records()).some(({ checked_at }) => checked_at !== null));
      did = await deployOwned();
      await client.setIntervalMining({ interval: 0 });
      assert.equal((await attest()).status, "pending");
      const open = await transactions("mined is null");
      assert.equal(open.length, 1);
      kept = { transaction: open[0], records: await records() };
    },

    /** Drops the transaction from the node. */
    async forget(): Promise<void> {
      for (const { hash } of kept.transaction?.attempts ?? []) await client.dropTransaction({ hash });
      assert.deepEqual(await query("select from pg_namespace where nspname like 'app_registry%'"), []);
    },

    /** Compares the restored tables with the tables before, and makes the chain mine again. */
    async compare(): Promise<void> {
      const [transaction] = await transactions("mined is null");
      assert.equal(transaction?.attempts[0]?.hash, kept.transaction?.attempts[0]?.hash);
      assert.deepEqual(await records(), kept.records);
      await client.setIntervalMining({ interval: 1 });
    },

    /** Waits until the issuer has sent the transaction without a request, and checks that searches work. */
    async finish(): Promise<void> {
      const found = await fetch("http://127.0.0.1:42069/search?q=resolver");
      assert.match(await found.text(), /Resolver of this registry/);
      const mined = `nonce = ${kept.transaction?.nonce} and mined is not null`;
      await until(async () => (await transactions(mined)).length === 1);
      assert.equal((await attest()).status, "already-attested");
    },
  };
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  for (let second = 0; !(await condition()); second++) {
    if (second > 120) throw new Error("Timed out after two minutes");
    await sleep(1_000);
  }
}
