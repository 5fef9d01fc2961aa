import type { DidControlEvidence } from "@app-registry/issuer";
import { checkDidControl } from "@app-registry/issuer";
import { readRecordedDocument } from "@app-registry/outbound";
import { AppRegistryError, parseDid } from "@app-registry/sdk";
import type { PublicClient } from "viem";
import { type Connection, connect } from "../connection.ts";
import { UsageError } from "../exitCodes.ts";
import { guardedFetch } from "../guardedFetch.ts";
import { parseExpiry, parseMajor } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";

const help = `
For issuers. Control is checked first, as the registry's own issuer does (did.json, or the owner of the contract); a
dataHash is attested after its document was read and hashed.

Examples:
  $ app-registry attest did:web:example.com --controller 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry attest did:web:example.com --data-hash --major 1 --expires 2027-01-31`;

/** `attest`: an issuer's statement that an account controls a DID, or that a record's document is the recorded one. */
export function addAttest(root: Root, run: Run): void {
  root
    .command("attest")
    .description("attest who controls a DID, or the document of a record (issuers)")
    .argument("<did>")
    .option("--controller <address>", "attest that this account controls the DID")
    .option("--data-hash", "attest the dataHash that a record carries now")
    .option("--major <number>", "the record for --data-hash (default: the latest)", parseMajor)
    .option("--expires <time>", "end of the attestation (default: the longest that is allowed)", parseExpiry)
    .option("--unchecked", "attest control that you checked in another way")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((name, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const { expires: expiresAt } = options;
        if ((options.controller === undefined) === (options.dataHash === undefined)) {
          throw new UsageError(
            "It is not said what to attest.",
            "Give --controller <address> or --data-hash.",
          );
        }
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, options, terminal);
        if (options.controller === undefined) {
          const dataHash = await checkRecorded(connection, did, options.major);
          const call = connection.client.prepareAttestDataHash({ did, dataHash, expiresAt });
          return callOutcome(connection, sender, call, { did, dataHash });
        }
        const controller = address(options.controller, "--controller");
        const evidence = options.unchecked ? undefined : await checkControl(connection, did, controller);
        const call = connection.client.prepareAttestDid({ did, controller, expiresAt });
        return callOutcome(connection, sender, call, { did, controller, evidence });
      }),
    );
}

/** The account does not control the DID, or it could not be asked. */
class ControlNotShownError extends AppRegistryError {
  override readonly name = "ControlNotShownError";
}

async function checkControl(
  { publicClient, deployment, local, timeoutMs }: Connection,
  did: string,
  controller: `0x${string}`,
): Promise<DidControlEvidence> {
  const chainClient = (id: number): PublicClient | undefined =>
    id === deployment.chainId ? publicClient : undefined;
  const control = await checkDidControl({
    did,
    controller,
    guardedFetch: guardedFetch(timeoutMs),
    chainClient,
    chainId: deployment.chainId,
    allowLoopback: local,
  });
  if (control.outcome === "pass") return control.evidence;
  throw new ControlNotShownError(control.reason, {
    action:
      control.publish &&
      `The DID's host has to serve this at ${control.publish.url}:\n${control.publish.document}`,
    retryable: control.outcome === "unknown",
    docsPath: "/control",
  });
}

/** The hash that a record carries, once its document was read and hashed to it. */
async function checkRecorded({ client, timeoutMs }: Connection, did: string, wanted: number | undefined) {
  const major = wanted ?? (await client.latestMajor(did));
  const { latestVersion: version } = await client.getAppSummary({ did, major });
  const record = await client.getVersionRecord({ did, version });
  await readRecordedDocument({ client, guardedFetch: guardedFetch(timeoutMs), record });
  return record.dataHash;
}
