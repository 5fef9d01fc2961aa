import { HardhatError } from "@nomicfoundation/hardhat-errors";
import type { HardhatEthersSigner } from "@nomicfoundation/hardhat-ethers/types";
import hre from "hardhat";
import type { HttpNetworkConfig } from "hardhat/types/config";
import type { NetworkConnection } from "hardhat/types/network";
import type { Hex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { oneSentence, ScriptError } from "./runScript.ts";

/** How long a network's RPC may take to name its chain. */
const ANSWER_SECONDS = 20;

const { ENV_VAR_NOT_FOUND } = HardhatError.ERRORS.CORE.GENERAL;

/** A network of hardhat.config.ts whose RPC answers. */
export interface Network {
  name: string;
  chainId: number;
  connection: NetworkConnection;
  /** The accounts that it can sign for; none when it was opened without them. */
  signers: readonly HardhatEthersSigner[];
}

/** What a script needs of a network's accounts: to sign in any case, to sign if they are configured, or nothing. */
type Accounts = "required" | "optional" | "unused";

/** A clause for each setting of a network of hardhat.config.ts that is missing or wrong. */
export async function networkProblems(name: string, accounts: Accounts): Promise<string[]> {
  const config = hre.config.networks[name];
  const lasting = Object.keys(hre.config.networks).filter((key) => hre.config.networks[key]?.type === "http");
  if (config?.type !== "http") {
    return [`"${name}" is not a lasting network: choose one by --network, of ${lasting.join(", ")}`];
  }
  const problems: string[] = [];
  await config.url.getUrl().catch((error: unknown) => problems.push(variableProblem(error)));
  if (accounts !== "unused") problems.push(...(await accountProblems(name, config, accounts)));
  return problems;
}

/**
 * Opens a network of hardhat.config.ts.
 * @throws {ScriptError} When its settings are wrong, its RPC does not answer, or it serves another chain.
 */
export async function openNetwork(
  name: string,
  accounts: Accounts,
  answerSeconds = ANSWER_SECONDS,
): Promise<Network> {
  const problems = await networkProblems(name, accounts);
  if (problems.length > 0) throw new ScriptError(`${problems.join("; ")}.`);
  const signs = accounts !== "unused" && (await hasAccounts(hre.config.networks[name] as HttpNetworkConfig));
  const connection = await hre.network.create({
    network: name,
    ...(signs ? {} : { override: { accounts: "remote" as const } }),
  });
  const chainId = await askChainId(connection, answerSeconds);
  const expected = connection.networkConfig.chainId;
  if (expected !== undefined && expected !== chainId) {
    throw new ScriptError(
      `The RPC of network ${name} serves chain ${chainId}, but hardhat.config.ts names ${expected}.`,
    );
  }
  const signers = signs ? await connection.ethers.getSigners() : [];
  if (accounts === "required" && signers.length === 0) {
    throw new ScriptError(`The network ${name} has no account to send from.`);
  }
  return { name, chainId, connection, signers };
}

async function askChainId(connection: NetworkConnection, seconds: number): Promise<number> {
  let timer: NodeJS.Timeout | undefined;
  const silence = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new ScriptError(`no answer within ${seconds} s`)), seconds * 1_000);
  });
  const asked = connection.provider.request({ method: "eth_chainId" });
  try {
    const chainId = Number(await Promise.race([asked, silence]));
    if (!Number.isSafeInteger(chainId)) throw new ScriptError("its answer is not a chain id");
    return chainId;
  } catch (error) {
    throw new ScriptError(
      `The RPC of network ${connection.networkName} does not answer (${reasonOf(error)}).`,
    );
  } finally {
    clearTimeout(timer);
  }
}

/** Why a request failed, without the URL of the RPC, which may hold a key. */
function reasonOf(error: unknown): string {
  if (error instanceof ScriptError) return error.message;
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if ("statusCode" in cause) return `HTTP status ${cause.statusCode}`;
    if ("code" in cause && typeof cause.code === "string") return cause.code;
  }
  return HardhatError.isHardhatError(error) ? oneSentence(error) : "it is no JSON-RPC server";
}

async function hasAccounts({ accounts }: HttpNetworkConfig): Promise<boolean> {
  if (!Array.isArray(accounts)) return true;
  const values = await Promise.all(accounts.map((account) => account.get().catch(() => undefined)));
  return values.every((value) => value !== undefined);
}

async function accountProblems(
  name: string,
  { accounts }: HttpNetworkConfig,
  need: Exclude<Accounts, "unused">,
): Promise<string[]> {
  if (!Array.isArray(accounts)) return [];
  const problems: string[] = [];
  for (const [index, account] of accounts.entries()) {
    let key: string;
    try {
      key = await account.get();
    } catch (error) {
      if (need === "required" || !isMissing(error)) problems.push(variableProblem(error));
      continue;
    }
    if (!isPrivateKey(key)) {
      problems.push(`${accountName(name, index)} is not a private key (64 hexadecimal digits)`);
    }
  }
  return problems;
}

/** The variable that an account of a network is read from. */
function accountName(network: string, index: number): string {
  const user = hre.userConfig.networks?.[network];
  const account = user?.type === "http" && Array.isArray(user.accounts) ? user.accounts[index] : undefined;
  return typeof account === "object" ? account.name : `account ${index} of network ${network}`;
}

function isPrivateKey(text: string): boolean {
  try {
    return Boolean(privateKeyToAccount(text.startsWith("0x") ? (text as Hex) : `0x${text}`));
  } catch {
    return false;
  }
}

function isMissing(error: unknown): error is HardhatError<typeof ENV_VAR_NOT_FOUND> {
  return HardhatError.isHardhatError(error, ENV_VAR_NOT_FOUND);
}

function variableProblem(error: unknown): string {
  return isMissing(error) ? `${error.messageArguments.name} is not set` : oneSentence(error);
}
