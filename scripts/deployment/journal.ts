import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import type { HardhatEthers } from "@nomicfoundation/hardhat-ethers/types";
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
import { ScriptError } from "./runScript.ts";

const artifacts = new HardhatArtifactResolver(hre.artifacts);
const { UNINITIALIZED_DEPLOYMENT } = HardhatError.ERRORS.IGNITION.STATUS;
const { KNOWN_TRANSACTION, MATCHING_NONCE_NOT_FOUND } = HardhatError.ERRORS.IGNITION.TRACK_TRANSACTIONS;

/** The account that sends a run's transactions, and how many it had sent before. */
interface Sender {
  address: string;
  nonce: number;
}

/**
 * Makes Ignition's journal of an unfinished deployment fit to go on. A creation that was interrupted while it was sent
 * is looked for on the chain, and entered when it is there. One that was never sent, because its simulation failed or
 * the network refused it, is forgotten, so that it can be tried with other settings.
 * @param journal Folder of the journal; it need not exist.
 * @param deployer Account that sends the transactions of this run.
 * @returns The transactions sent so far, or undefined when there is no journal.
 * @throws {ScriptError} When a transaction is still pending, reverted, or was not mined in time.
 */
export async function reopenJournal(
  connection: NetworkConnection,
  journal: string,
  deployer: string,
): Promise<ListTransactionsResult | undefined> {
  const state = await status(journal).catch((error: unknown) => {
    if (HardhatError.isHardhatError(error, UNINITIALIZED_DEPLOYMENT)) return undefined;
    throw error;
  });
  let sent = state && (await listTransactions(journal, artifacts));
  if (state && sent) {
    const reverted = sent.find((transaction) => transaction.status === TransactionStatus.FAILURE);
    if (reverted) throw stuck(journal, `the transaction ${reverted.txHash} reverted`);
    if (state.timedOut.length > 0) throw stuck(journal, `${sent.at(-1)?.txHash} was not mined in time`);
    const isSent = (future: string) => sent?.some(({ name }) => future.endsWith(`#${name}`));
    const unsent = [...state.started, ...state.failed.map(({ futureId }) => futureId)].filter(
      (future) => !isSent(future),
    );
    const sender = await readSender(journal);
    if (sender && unsent.length > 0) {
      const found = await enterLostTransaction(connection, journal, sender);
      if (found) sent = await listTransactions(journal, artifacts);
      else for (const future of unsent) await wipe(journal, artifacts, future);
    }
  }
  await writeSender(journal, {
    address: deployer,
    nonce: await connection.ethers.provider.getTransactionCount(deployer, "pending"),
  });
  return sent;
}

/** The last argument of the creation of a contract that was sent, whether it is mined yet or not. */
export function sentArgument(sent: ListTransactionsResult | undefined, contract: string): bigint | undefined {
  const argument = sent?.find(({ name }) => name === contract)?.params?.at(-1);
  return typeof argument === "bigint" ? argument : undefined;
}

/** The block of the first transaction of a deployment. */
export async function firstBlock(ethers: HardhatEthers, journal: string): Promise<number> {
  const blocks: number[] = [];
  for (const { txHash } of await listTransactions(journal, artifacts)) {
    const receipt = await ethers.provider.getTransactionReceipt(txHash);
    if (receipt) blocks.push(receipt.blockNumber);
  }
  return Math.min(...blocks);
}

/**
 * Enters the transaction that the journal says was about to be sent, when the sender has sent it since.
 * @returns Whether there was one.
 */
async function enterLostTransaction(
  { ethers, provider }: NetworkConnection,
  journal: string,
  { address, nonce }: Sender,
): Promise<boolean> {
  const mined = await ethers.provider.getTransactionCount(address, "latest");
  if ((await ethers.provider.getTransactionCount(address, "pending")) > mined) {
    throw new ScriptError(`${address} has a transaction that is not mined yet: run this again when it is.`);
  }
  for (let lost = nonce; lost < mined; lost++) {
    try {
      await trackTransaction(journal, await findTransaction(ethers, address, lost), provider);
      return true;
    } catch (error) {
      const isAnother = [MATCHING_NONCE_NOT_FOUND, KNOWN_TRANSACTION].some((kind) =>
        HardhatError.isHardhatError(error, kind),
      );
      if (!isAnother) throw error;
    }
  }
  return false;
}

/** Looks for a mined transaction from the newest block backwards, in steps that double. */
async function findTransaction(ethers: HardhatEthers, sender: string, nonce: number): Promise<string> {
  const isSentBy = async (block: number) =>
    (await ethers.provider.getTransactionCount(sender, block)) > nonce;
  let after = await ethers.provider.getBlockNumber();
  let before = after;
  for (let step = 1; before > 0 && (await isSentBy(before)); step *= 2) {
    after = before;
    before = Math.max(0, before - step);
  }
  while (after - before > 1) {
    const middle = Math.floor((after + before) / 2);
    if (await isSentBy(middle)) after = middle;
    else before = middle;
  }
  const block = await ethers.provider.getBlock(after);
  const transactions = await Promise.all(
    (block?.transactions ?? []).map((hash) => ethers.provider.getTransaction(hash)),
  );
  const found = transactions.find(
    (transaction) => transaction?.from.toLowerCase() === sender.toLowerCase() && transaction.nonce === nonce,
  );
  if (!found) throw new ScriptError(`The RPC no longer knows transaction ${nonce} of ${sender}.`);
  return found.hash;
}

function stuck(journal: string, what: string): ScriptError {
  return new ScriptError(
    `In an earlier run ${what}: once it can no longer succeed, move the folder ${journal} away to deploy anew.`,
  );
}

const senderFile = (journal: string) => join(journal, "sender.json");

async function readSender(journal: string): Promise<Sender | undefined> {
  const text = await readFile(senderFile(journal), "utf8").catch(() => undefined);
  return text === undefined ? undefined : (JSON.parse(text) as Sender);
}

async function writeSender(journal: string, sender: Sender): Promise<void> {
  await mkdir(journal, { recursive: true });
  await writeFile(senderFile(journal), JSON.stringify(sender));
}
