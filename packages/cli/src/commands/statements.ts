import { checkDidControl, type DidControlEvidence } from "@app-registry/issuer";
import { type Connection, UsageError } from "@app-registry/mcp";
import { AppRegistryError } from "@app-registry/sdk";
import type { Address, PublicClient } from "viem";
import { parseAddress, parseCanonicalDid, parseHash, parseMajor, parseTime } from "../inputs.ts";
import type { Program } from "../program.ts";
import { readVersionDocument } from "../publishing.ts";

const attestHelp = `
For issuers. Before attesting control, this checks did.json or the contract's owner, as the registry's own issuer does. Before attesting a dataHash, it reads and hashes the document.

Examples:
  $ app-registry attest did:web:example.com --controller 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry attest did:web:example.com --data-hash --major 1 --expires 2027-01-31`;

export function addAttest({ root, sends }: Program): void {
  const command = root
    .command("attest")
    .description("attest who controls a DID, or a record's document (issuers only)")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .option(
      "--controller <address>",
      "attest that this account controls the DID",
      parseAddress("--controller"),
    )
    .option("--data-hash", "attest a record's current dataHash")
    .option("--major <number>", "the record for --data-hash (default: the latest)", parseMajor)
    .option("--expires <time>", "expiry of the attestation (default: the maximum lifetime)", parseTime)
    .option("--unchecked", "skip the check of control because you verified it another way")
    .addHelpText("after", attestHelp);
  sends(command, (did, { controller, dataHash: attestsHash, major, expires: expiresAt, unchecked }) => {
    assertExactlyOne("attest", controller, attestsHash, "--data-hash");
    return async (connection) => {
      const { client } = connection;
      if (controller === undefined) {
        const dataHash = await checkRecordedDocument(connection, did, major);
        return { call: client.prepareAttestDataHash({ did, dataHash, expiresAt }), dataHash };
      }
      const evidence = unchecked ? undefined : await checkControl(connection, did, controller);
      return { call: client.prepareAttestDid({ did, controller, expiresAt }), controller, evidence };
    };
  });
}

const revokeHelp = `
Examples:
  $ app-registry revoke did:web:example.com --controller 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry revoke did:web:example.com --data-hash 0x5f16…`;

export function addRevoke({ root, sends }: Program): void {
  const command = root
    .command("revoke")
    .description("revoke one of your attestations (issuers only)")
    .argument("<did>", "DID of the service", parseCanonicalDid)
    .option(
      "--controller <address>",
      "the attestation that this account controls the DID",
      parseAddress("--controller"),
    )
    .option("--data-hash <hash>", "the attestation of this dataHash", parseHash)
    .addHelpText("after", revokeHelp);
  sends(command, (did, { controller, dataHash }) => {
    assertExactlyOne("revoke", controller, dataHash, "--data-hash <hash>");
    return ({ client }) =>
      controller
        ? { call: client.prepareRevokeDid({ did, controller }), controller }
        : { call: client.prepareRevokeDataHash({ did, dataHash: dataHash ?? "0x" }), dataHash };
  });
}

/** Checks that a statement has either a controller or a hash. @throws {UsageError} for neither or both. */
function assertExactlyOne(verb: string, controller: unknown, dataHash: unknown, option: string): void {
  if ((controller === undefined) !== (dataHash === undefined)) return;
  throw new UsageError(`Specify what to ${verb}.`, `Pass --controller <address> or ${option}.`);
}

/** Error for an account that does not control the DID, or whose control couldn't be checked. */
class ControlNotProvenError extends AppRegistryError {
  override readonly name = "ControlNotProvenError";
}

async function checkControl(
  { publicClient, deployment, local, guardedFetch }: Connection,
  did: string,
  controller: Address,
): Promise<DidControlEvidence> {
  const chainClient = (id: number): PublicClient | undefined =>
    id === deployment.chainId ? publicClient : undefined;
  const control = await checkDidControl({
    did,
    controller,
    guardedFetch,
    chainClient,
    chainId: deployment.chainId,
    allowLoopback: local,
  });
  if (control.outcome === "pass") return control.evidence;
  throw new ControlNotProvenError(control.reason, {
    action:
      control.publish && `Publish this document at ${control.publish.url}:\n${control.publish.document}`,
    retryable: control.outcome === "unknown",
    docsPath: "/control",
  });
}

/** Reads a record's document and returns the registered hash if the document matches it. */
async function checkRecordedDocument(connection: Connection, did: string, wanted: number | undefined) {
  const { client } = connection;
  const major = wanted ?? (await client.latestMajor(did));
  const { latestVersion: version } = await client.getAppSummary({ did, major });
  return (await readVersionDocument(connection, did, version)).dataHash;
}
