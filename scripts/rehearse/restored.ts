import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { requestAttestation } from "@app-registry/sdk";
import type { Abi, Hex, LocalAccount } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { type Postgres, type startAnvil, TESTNET } from "./machine.ts";
import type { Shell } from "./shell.ts";

interface Parameters {
  shell: Shell;
  testnet: Awaited<ReturnType<typeof startAnvil>>;
  postgres: Postgres;
  webUrl: string;
  say: (text: string) => void;
}

/** A transaction of the issuer, as its table has it. */
type Transaction = { nonce: string; attempts: { hash: Hex }[]; mined: { hash: Hex } | null };
/** What a dataUrl served. */
type OffchainRecord = { did: string; state: string; checked_at: number };

const SECONDS = 120;
/** Where the page's own commands expect the index. */
const INDEX = "http://127.0.0.1:42069";

/**
 * What a restored backup must bring back and the chain can't: a transaction that the issuer signed and no node remembers,
 * and what a dataUrl served.
 */
export function keepsWhatTheChainLacks({ shell, testnet, postgres, webUrl, say }: Parameters) {
  const { client } = testnet;
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
      ...{ baseUrl: webUrl, did, connectedAddress: wallet.address, requiredSchemas: ["did-ownership"] },
      signMessage: (message) => wallet.signMessage({ message }),
    });

  /** A contract of the wallet's own, whose DID nobody has attested. */
  async function deployOwned(): Promise<string> {
    const folder = await shell.variable("PWD");
    wallet = privateKeyToAccount((await readFile(join(folder, "deployer.key"), "utf8")).trim() as Hex);
    const artifact = join(folder, "artifacts/contracts/examples/OwnableService.sol/OwnableService.json");
    const { abi, bytecode } = JSON.parse(await readFile(artifact, "utf8")) as { abi: Abi; bytecode: Hex };
    const hash = await client.deployContract({ abi, bytecode, args: [wallet.address], account: wallet });
    const { contractAddress } = await client.waitForTransactionReceipt({ hash });
    return `did:pkh:eip155:${TESTNET}:${contractAddress?.toLowerCase()}`;
  }

  /** A service whose document is only at its dataUrl, on a host that does not answer. */
  async function publishElsewhere(): Promise<void> {
    const owned = await deployOwned();
    const place = "--no-on-chain-json --data-url https://documents.invalid/resolver.json";
    // Its dataHash can't be attested, because nothing serves the document.
    const { output } = await shell.run(
      `PRIVATE_KEY=$(cat deployer.key) npx -y pnpm@10 exec app-registry publish resolver.json --did ${owned} --version 1.0.0 ${place} --registry ${webUrl} --yes || true`,
    );
    assert.match(output, /Published did:pkh/);
    await until(async () => (await records()).some(({ checked_at }) => checked_at !== null));
  }

  return {
    /** The chain stops while the issuer has signed for a wallet, and a dataUrl was asked. */
    async leaveWorkOpen(): Promise<void> {
      await publishElsewhere();
      did = await deployOwned();
      await client.setIntervalMining({ interval: 0 });
      const { status } = await attest();
      assert.equal(status, "pending");
      kept = { transactions: await transactions("mined is null"), records: await records() };
      assert.equal(kept.transactions.length, 1);
      say(`The chain mines nothing, and the issuer has signed ${kept.transactions[0]?.attempts[0]?.hash}`);
      say(`A dataUrl was asked: ${kept.records.map(({ state }) => state).join(", ")}`);
    },

    /** Nothing else knows the transaction any more. */
    async empty(): Promise<void> {
      for (const { hash } of kept.transactions.flatMap(({ attempts }) => attempts))
        await client.dropTransaction({ hash });
      const schemas = await postgres.query("select from pg_namespace where nspname like 'app_registry%'");
      assert.equal(schemas.length, 0);
      say("The node has forgotten the transaction, and the database is empty");
    },

    /** The tables are as they were; then the chain mines again. */
    async compare(): Promise<void> {
      const [transaction] = await transactions("mined is null");
      assert.equal(transaction?.attempts[0]?.hash, kept.transactions[0]?.attempts[0]?.hash);
      assert.deepEqual(await records(), kept.records);
      say("The open transaction and the records of dataUrls are as before");
      await client.setIntervalMining({ interval: 1 });
    },

    /** The issuer finishes what it had signed, without being asked, and searches answer. */
    async finish(): Promise<void> {
      const found = await fetch(`${INDEX}/search?q=resolver`).then((response) => response.text());
      assert.ok(found.includes("Resolver of this registry"), "The new index lacks the service");
      const nonce = kept.transactions[0]?.nonce;
      await until(async () => (await transactions(`nonce = ${nonce} and mined is not null`)).length === 1);
      const { status } = await attest();
      assert.equal(status, "already-attested");
      say(`The issuer has finished its transaction ${nonce}, and a new index answers`);
    },
  };
}

/** @throws When the condition does not hold within two minutes. */
async function until(condition: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + SECONDS * 1_000;
  while (!(await condition())) {
    if (Date.now() > deadline) throw new Error(`Nothing happened within ${SECONDS} s`);
    await sleep(500);
  }
}
