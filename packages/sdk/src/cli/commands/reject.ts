import { parseDid } from "../../did.ts";
import { connect } from "../connection.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";

const help = `
You must count as a controller of the DID; the newcomer must still be waiting.

Example:
  $ app-registry reject did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;

/** `reject`: keep a waiting newcomer from counting as a controller. */
export function addReject(root: Root, run: Run): void {
  root
    .command("reject")
    .description("keep a waiting newcomer from counting as a controller")
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
        const call = connection.client.prepareRejectController({ did, controller });
        return callOutcome(connection, sender, call, { did, controller });
      }),
    );
}
