import { AppRegistryError } from "@app-registry/sdk";
import { createKeyRedactor } from "@app-registry/sdk/internal";
import { HardhatError } from "@nomicfoundation/hardhat-errors";
import hre from "hardhat";
import { ZodError } from "zod";

/** Runs a script. A failure becomes one sentence on stderr, without a stack trace, and exit code 1. */
export async function runScript(main: () => Promise<void>): Promise<void> {
  try {
    await main();
  } catch (error) {
    console.error(oneSentence(error));
    // Exit, because a pending request would keep the process alive.
    process.exit(1);
  }
}

/** Returns an error's text for an operator, on one line. */
export const oneSentence = (error: unknown): string => toText(error).replaceAll(/\s+/g, " ").trim();

function toText(error: unknown): string {
  if (HardhatError.isHardhatError(error)) return error.formattedMessage;
  if (error instanceof AppRegistryError) return [error.shortMessage, error.action ?? ""].join(" ");
  if (!(error instanceof ZodError)) return error instanceof Error ? error.message : String(error);
  return error.issues
    .map(({ path: [name], message }) => (name ? `${String(name)}: ${message}` : message))
    .join("; ");
}

/**
 * Finds the first block after `low` from which `holds` stays true, or `high` if there is no earlier one. Starts with
 * the newest blocks, whose state every node has.
 */
export async function findBlock(
  low: number,
  high: number,
  holds: (block: number) => Promise<boolean>,
): Promise<number> {
  let [before, after] = [low, high];
  for (let step = 1; after - before > 1; step *= 2) {
    const block = Math.max(after - step, Math.floor((before + after) / 2));
    if (await holds(block)) after = block;
    else before = block;
  }
  return after;
}

const { ENV_VAR_NOT_FOUND } = HardhatError.ERRORS.CORE.GENERAL;

/** Network of hardhat.config.ts whose RPC responds. `signers` is empty if it was opened without accounts. */
export type Network = Awaited<ReturnType<typeof openNetwork>>;

/**
 * Opens a network of hardhat.config.ts.
 * @param accounts Use of the accounts: the script always signs, signs if accounts are configured, or never signs.
 * @param timeout Time limit of an RPC request, in milliseconds.
 * @throws Error if settings are missing or invalid, or if the RPC is unavailable or serves another chain.
 */
export async function openNetwork(
  name: string,
  accounts: "required" | "optional" | "unused",
  timeout = 20_000,
) {
  const config = hre.config.networks[name];
  if (config?.type !== "http") {
    const lasting = Object.entries(hre.config.networks).filter(([, { type }]) => type === "http");
    throw new Error(
      `"${name}" is not a lasting network: choose one by --network, of ${lasting.map(([key]) => key).join(", ")}.`,
    );
  }
  const keys = accounts !== "unused" && Array.isArray(config.accounts) ? config.accounts : [];
  const problems = (
    await Promise.all(keys.map((key) => getProblem(key.getHexString().then(requireKey))))
  ).flat();
  const isSigning = accounts === "required" || (accounts === "optional" && !problems.some(isAbsence));
  const all = [...(await getProblem(config.url.getUrl())), ...(isSigning ? problems : [])];
  if (all.length > 0) throw new Error(all.join("; "));
  const connection = await hre.network.create({
    network: name,
    override: { timeout, ...(!isSigning && { accounts: "remote" }) },
  });
  const { ethers } = connection;
  try {
    // Hardhat checks the chain id of hardhat.config.ts before it forwards this request.
    await ethers.provider.getBlockNumber();
    const { chainId } = await ethers.provider.getNetwork();
    const signers = isSigning ? await ethers.getSigners() : [];
    if (accounts === "required" && signers.length === 0) throw new Error("it has no account to send from");
    return { name, chainId: Number(chainId), connection, signers };
  } catch (error) {
    const text = createKeyRedactor(await config.url.getUrl())(oneSentence(error));
    throw new Error(`The network ${name} can't be used: ${text}`);
  }
}

/** Returns the problem of a setting, or an empty list if it is valid. */
const getProblem = (setting: Promise<unknown>): Promise<string[]> =>
  setting.then(
    () => [],
    (error: unknown) =>
      HardhatError.isHardhatError(error, ENV_VAR_NOT_FOUND)
        ? [`${error.messageArguments.name} is not set`]
        : [oneSentence(error)],
  );

const isAbsence = (problem: string) => problem.endsWith(" is not set");

function requireKey(text: string): void {
  if (/^0x[\da-f]{64}$/i.test(text)) return;
  throw new Error("a private key of the network is not 64 hexadecimal digits");
}
