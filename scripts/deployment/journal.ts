import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { HardhatArtifactResolver } from "@nomicfoundation/hardhat-ignition/helpers";
import {
  type ListTransactionsResult,
  listTransactions,
  status,
  TransactionStatus,
  trackTransaction,
  wipe,
} from "@nomicfoundation/ignition-core";
import hre from "hardhat";
import type { NetworkConnection } from "hardhat/types/network";
import { findBlock } from "./openNetwork.ts";

const artifacts = new HardhatArtifactResolver(hre.artifacts);

/**
 * Prepares Ignition's journal of an unfinished deployment, so that Ignition can resume it. If the run ended while it
 * sent a creation, adds the transaction from the chain. Removes a creation that was not sent because its simulation
 * failed or the network refused it, so that it can be retried with other settings.
 * @param journal Folder of the journal. It need not exist.
 * @returns The transactions sent so far.
 * @throws Error if a transaction is pending, reverted or was not mined in time.
 */
export async function reopenJournal(
  connection: NetworkConnection,
  journal: string,
): Promise<ListTransactionsResult> {
  const text = await readFile(join(journal, "journal.jsonl"), "utf8").catch(() => "");
  if (!text) return [];
  const { started, failed, timedOut } = await status(journal);
  const sent = await listTransactions(journal, artifacts);
  const reverted = sent.find((transaction) => transaction.status === TransactionStatus.FAILURE);
  if (reverted || timedOut.length > 0) {
    const what = reverted ? `${reverted.txHash} reverted` : `${sent.at(-1)?.txHash} was not mined in time`;
    throw new Error(
      `In an earlier run ${what}. Once it can no longer succeed, move the folder ${journal} elsewhere and deploy again.`,
    );
  }
  for (const future of [...started, ...failed.map(({ futureId }) => futureId)]) {
    if (sent.some(({ name }) => future.endsWith(`#${name}`))) continue;
    const lines = text.split("\n").filter((line) => line.includes(`"futureId":"${future}"`));
    const own = lines.map((line) => JSON.parse(line) as { type: string; from?: string; nonce?: number });
    // Ignition records the nonce before it sends a transaction, and the hash afterwards.
    const { type, nonce } = own.at(-1) ?? {};
    const from = own.find((line) => line.from)?.from;
    const isSending = type === "TRANSACTION_PREPARE_SEND" && from && nonce !== undefined;
    const hash = isSending && (await findTransaction(connection, from, nonce));
    if (hash) await trackTransaction(journal, hash, connection.provider);
    else await wipe(journal, artifacts, future);
  }
  return listTransactions(journal, artifacts);
}

/** Returns the block of the first transaction of a deployment. */
export async function firstBlock({ ethers }: NetworkConnection, journal: string): Promise<number> {
  const sent = await listTransactions(journal, artifacts);
  const receipts = await Promise.all(sent.map(({ txHash }) => ethers.provider.getTransactionReceipt(txHash)));
  return Math.min(...receipts.map((receipt) => receipt?.blockNumber ?? Number.POSITIVE_INFINITY));
}

/** Returns the hash of the mined transaction with a nonce, or `undefined` if the sender never sent one. */
async function findTransaction({ ethers }: NetworkConnection, from: string, nonce: number) {
  const { provider } = ethers;
  const isSentBy = async (block: number | "latest" | "pending") =>
    (await provider.getTransactionCount(from, block)) > nonce;
  if (!(await isSentBy("pending"))) return undefined;
  if (!(await isSentBy("latest"))) {
    throw new Error(`${from} has a transaction that is not mined yet: run this again when it is.`);
  }
  const block = await provider.getBlock(await findBlock(0, await provider.getBlockNumber(), isSentBy), true);
  const found = block?.prefetchedTransactions.find(
    (transaction) => transaction.nonce === nonce && transaction.from.toLowerCase() === from.toLowerCase(),
  );
  if (!found) throw new Error(`The RPC no longer knows transaction ${nonce} of ${from}.`);
  return found.hash;
}
