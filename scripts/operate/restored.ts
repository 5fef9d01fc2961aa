import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { requestAttestation } from "@app-registry/sdk";
import type { Abi, Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { waitUntilReady } from "../stack/processes.ts";
import { type startAnvil, type startPostgres, TESTNET } from "./machine.ts";
import type { Shell } from "./shell.ts";

/** Where the page's own commands expect the web app and the index. */
export const WEB = "http://localhost:3000";
const INDEX = "http://127.0.0.1:42069";

type Started<Start extends (...parameters: never[]) => unknown> = Awaited<ReturnType<Start>>;
/** A transaction of the issuer, as its table has it. */
type Transaction = { nonce: string; attempts: { hash: Hex }[]; mined: { hash: Hex } | null };
/** What a dataUrl served. */
type OffchainRecord = { did: string; state: string; checked_at: number };

/**
 * Checks what a restored backup must bring back and the chain can't: a transaction that the issuer signed and no node
 * remembers, and what a dataUrl served.
 */
export function restoreCheck(
  shell: Shell,
  { client, service }: Started<typeof startAnvil>,
  postgres: Started<typeof startPostgres>,
) {
  let kept: { transactions: Transaction[]; records: OffchainRecord[] };
  let wallet: LocalAccount;
  let did: string;

  const transactions = (where: string) =>
    postgres.query<Transaction>(
      `select nonce::text, attempts, mined from app_registry_issuer.transactions where ${where} order by nonce`,
    );
  const records = () =>
    postgres.query<OffchainRecord>(
      `select did, state, checked_at from app_registry_documents_${TESTNET}.record order by did`,
    );
  const attest = () =>
    requestAttestation({
      ...{ baseUrl: WEB, did, connectedAddress: wallet.address, requiredSchemas: ["did-ownership"] },
      signMessage: (message) => wallet.signMessage({ message }),
    });

  /** Deploys a contract of the wallet's own, whose DID nobody has attested. */
  async function deployOwned(): Promise<string> {
    const { output: folder } = await shell.run('printf %s "$PWD"');
    wallet = privateKeyToAccount((await readFile(join(folder, "deployer.key"), "utf8")).trim() as Hex);
    const artifact = join(folder, "artifacts/contracts/examples/OwnableService.sol/OwnableService.json");
    const { abi, bytecode } = JSON.parse(await readFile(artifact, "utf8")) as { abi: Abi; bytecode: Hex };
    const hash = await client.deployContract({ abi, bytecode, args: [wallet.address], account: wallet });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    return `did:pkh:eip155:${TESTNET}:${contractAddress?.toLowerCase()}`;
  }

  return {
    /** Has the chain stop while the issuer has signed for a wallet, and a dataUrl that does not answer requested. */
    async leaveWorkOpen(): Promise<void> {
      const place = "--no-on-chain-json --data-url https://documents.invalid/resolver.json";
      // Its dataHash can't be attested, because nothing serves the document.
      const { output } = await shell.run(
        `PRIVATE_KEY=$(cat deployer.key) npx -y pnpm@10 exec app-registry publish resolver.json --did ${await deployOwned()} --version 1.0.0 ${place} --registry ${WEB} --yes || true`,
      );
      assert.match(output, /Published did:pkh/);
      const isChecked = async () => (await records()).some(({ checked_at }) => checked_at !== null);
      await waitUntilReady(service, 120, isChecked);
      did = await deployOwned();
      await client.setIntervalMining({ interval: 0 });
      assert.equal((await attest()).status, "pending");
      kept = { transactions: await transactions("mined is null"), records: await records() };
      assert.equal(kept.transactions.length, 1);
    },

    /** Has the node forget the transaction, and checks that the database is empty. */
    async forget(): Promise<void> {
      for (const { hash } of kept.transactions.flatMap(({ attempts }) => attempts))
        await client.dropTransaction({ hash });
      const schemas = await postgres.query("select from pg_namespace where nspname like 'app_registry%'");
      assert.equal(schemas.length, 0);
    },

    /** Checks that the tables are as they were, and has the chain mine again. */
    async compare(): Promise<void> {
      const [transaction] = await transactions("mined is null");
      assert.equal(transaction?.attempts[0]?.hash, kept.transactions[0]?.attempts[0]?.hash);
      assert.deepEqual(await records(), kept.records);
      await client.setIntervalMining({ interval: 1 });
    },

    /** Checks that the issuer finishes what it had signed, without being asked, and that searches answer. */
    async finish(): Promise<void> {
      const found = await fetch(`${INDEX}/search?q=resolver`).then((response) => response.text());
      assert.ok(found.includes("Resolver of this registry"), "The new index lacks the service");
      const mined = `nonce = ${kept.transactions[0]?.nonce} and mined is not null`;
      await waitUntilReady(service, 120, async () => (await transactions(mined)).length === 1);
      assert.equal((await attest()).status, "already-attested");
    },
  };
}
