import { parseDid } from "../../did.ts";
import { connect } from "../connection.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";

const help = `
You must count as a controller of the DID without a vouch yourself.

Example:
  $ app-registry vouch did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;

/** `vouch`: let an attested newcomer count as a controller without the wait. */
export function addVouch(root: Root, run: Run): void {
  root
    .command("vouch")
    .description("let an attested newcomer count as a controller without the wait")
    .argument("<did>")
    .argument("<controller>", "address of the newcomer")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((name, newcomer, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const controller = address(newcomer, "The controller");
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, options, terminal);
        const call = connection.client.prepareVouchController({ did, controller });
        return callOutcome(connection, sender, call, { did, controller });
      }),
    );
}
