import { type CanonicalDid, hashCanonicalDid } from "../did.ts";
import type { AppRegistryError } from "../errors/appRegistryError.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import { callView } from "./callView.ts";
import { type BlockParameter, type ClientContext, registryContract } from "./context.ts";

/** Most major versions that an error lists: the highest ones. */
const MAX_LISTED_MAJORS = 16;

/** The message for a reader who asked for something that is not registered. */
export type NotRegisteredMessage = { sentence: string; action: string };

/**
 * The error of a registry call whose first argument is the DID. Replaces `AppNotFound`, which has only a hash, by an error
 * that says whether the DID has no record at all or which major versions it has. Returns other errors unchanged, and this
 * one too if the chain doesn't answer.
 */
export async function explainNotRegistered(
  context: ClientContext,
  [did]: readonly unknown[],
  error: AppRegistryError,
  at: BlockParameter = {},
): Promise<AppRegistryError> {
  if (!isAppNotFound(error) || typeof did !== "string" || !did.startsWith("did:")) return error;
  try {
    const words = await getNotRegisteredMessage(context, {
      did: did as CanonicalDid,
      major: Number(error.args.major),
      ...at,
    });
    return new ContractRevertError("AppNotFound", error.args, { cause: error.cause, words });
  } catch {
    return error;
  }
}

/**
 * Says of a DID that nothing, or not this major version, is registered.
 *
 * @throws {AppRegistryError} when the chain doesn't answer.
 */
export async function getNotRegisteredMessage(
  context: ClientContext,
  { did, major, ...at }: BlockParameter & { did: CanonicalDid; major: number },
): Promise<NotRegisteredMessage> {
  const registry = registryContract(context);
  let latest: number;
  try {
    latest = await callView(context, registry, "latestMajor", [hashCanonicalDid(did)], at);
  } catch (error) {
    if (isAppNotFound(error)) return formatUnknownDidMessage(did);
    throw error;
  }
  // Majors may have gaps below the first one that was registered.
  const lowest = Math.max(0, latest - MAX_LISTED_MAJORS + 1);
  const candidates = Array.from({ length: latest - lowest + 1 }, (_, index) => lowest + index);
  const tokenIds = await Promise.all(
    candidates.map((one) => callView(context, registry, "tokenIdOf", [did, one], at)),
  );
  const majors = candidates.filter((_, index) => tokenIds[index] !== 0n);
  return {
    sentence: `Major version ${major} of ${did} is not registered.`,
    action: `Registered major versions: ${lowest > 0 ? "…, " : ""}${majors.join(", ")}.`,
  };
}

/** Says that a DID has no record at all. */
export const formatUnknownDidMessage = (did: CanonicalDid): NotRegisteredMessage => ({
  sentence: `No service is registered for ${did}.`,
  action: "Check the DID, and check that you're using the right registry.",
});

export const isAppNotFound = (error: unknown): error is ContractRevertError =>
  error instanceof ContractRevertError && error.errorName === "AppNotFound";
