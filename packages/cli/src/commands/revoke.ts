import { parseDid } from "@app-registry/sdk";
import { isHash } from "viem";
import { connect } from "../connection.ts";
import { UsageError } from "../exitCodes.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";

const help = `
Examples:
  $ app-registry revoke did:web:example.com --controller 0x70997970C51812dc3A010C7d01b50e0d17dc79C8
  $ app-registry revoke did:web:example.com --data-hash 0x5f16…`;

/** `revoke`: an issuer takes its own statement back. */
export function addRevoke(root: Root, run: Run): void {
  root
    .command("revoke")
    .description("revoke an attestation of your own (issuers)")
    .argument("<did>")
    .option("--controller <address>", "the attestation that this account controls the DID")
    .option("--data-hash <hash>", "the attestation of this dataHash")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((name, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const { dataHash } = options;
        if ((options.controller === undefined) === (dataHash === undefined)) {
          throw new UsageError(
            "It is not said what to revoke.",
            "Give --controller <address> or --data-hash <hash>.",
          );
        }
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, options, terminal);
        if (dataHash !== undefined) {
          if (!isHash(dataHash))
            throw new UsageError("--data-hash is no hash.", "Write 0x and 64 hexadecimal digits.");
          const call = connection.client.prepareRevokeDataHash({ did, dataHash });
          return callOutcome(connection, sender, call, { did, dataHash });
        }
        const controller = address(options.controller ?? "", "--controller");
        const call = connection.client.prepareRevokeDid({ did, controller });
        return callOutcome(connection, sender, call, { did, controller });
      }),
    );
}
