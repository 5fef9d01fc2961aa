import { type CanonicalDid, hashCanonicalDid } from "../did.ts";
import { AppRegistryError } from "../errors/appRegistryError.ts";
import { ContractRevertError } from "../errors/contractRevertError.ts";
import { type BlockParameter, type ClientContext, callView } from "./context.ts";

/** Version to find. Without `patch`, the latest patch of that minor. */
export type VersionQuery = { major: number; minor: number; patch?: number | undefined };

/** Maximum number of major versions in an error message. The highest ones are listed. */
const MAX_LISTED_MAJORS = 16;

export type NotRegisteredMessage = { sentence: string; action: string };

/**
 * Replaces `AppNotFound`, which has only a hash, by an error that names the DID and its registered major versions. The
 * DID must be the call's first argument. Returns other errors unchanged, and also `AppNotFound` if the chain does not
 * respond.
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
 * Returns a message that the DID, or this major version of it, is not registered.
 *
 * @throws {AppRegistryError} when the chain does not respond.
 */
export async function getNotRegisteredMessage(
  context: ClientContext,
  { did, major, ...at }: BlockParameter & { did: CanonicalDid; major: number },
): Promise<NotRegisteredMessage> {
  let latest: number;
  try {
    latest = await callView(context, "AppRegistry", "latestMajor", [hashCanonicalDid(did)], at);
  } catch (error) {
    if (isAppNotFound(error)) return formatUnknownDidMessage(did);
    throw error;
  }
  // The first registered major may be any number, so the ones below it need not exist.
  const lowest = Math.max(0, latest - MAX_LISTED_MAJORS + 1);
  const candidates = Array.from({ length: latest - lowest + 1 }, (_, index) => lowest + index);
  const tokenIds = await Promise.all(
    candidates.map((one) => callView(context, "AppRegistry", "tokenIdOf", [did, one], at)),
  );
  const majors = candidates.filter((_, index) => tokenIds[index] !== 0n);
  return {
    sentence: `Major version ${major} of ${did} is not registered.`,
    action: `Registered major versions: ${lowest > 0 ? "…, " : ""}${majors.join(", ")}.`,
  };
}

/** Returns a message that the DID has no record. */
export const formatUnknownDidMessage = (did: CanonicalDid): NotRegisteredMessage => ({
  sentence: `No service is registered for ${did}.`,
  action: "Check the DID, and check that you're using the right registry.",
});

export const isAppNotFound = (error: unknown): error is ContractRevertError =>
  error instanceof ContractRevertError && error.errorName === "AppNotFound";

/** Thrown when this version of the DID was never published. `words` replace the message with what is registered. */
export class VersionNotFoundError extends AppRegistryError {
  override readonly name = "VersionNotFoundError";

  constructor(did: string, { major, minor, patch }: VersionQuery, words: Partial<NotRegisteredMessage> = {}) {
    const version = patch === undefined ? `${major}.${minor}` : `${major}.${minor}.${patch}`;
    const {
      sentence = `Version ${version} of ${did} is not registered.`,
      action = "List the published versions with listVersions().",
    } = words;
    super(sentence, { action, docsPath: "/sdk#versions" });
  }
}

/** Returns true if the error says that the registry has no such record or version. */
export const isNotRegisteredError = (error: unknown): error is ContractRevertError | VersionNotFoundError =>
  error instanceof VersionNotFoundError || isAppNotFound(error);

/** Awaits a read. Returns `undefined` if the registry has no such record or version. */
export async function undefinedIfNotRegistered<Result>(read: Promise<Result>): Promise<Result | undefined> {
  try {
    return await read;
  } catch (error) {
    if (isNotRegisteredError(error)) return undefined;
    throw error;
  }
}
