import type { Address } from "viem";
import type { PreparedCall } from "../client/context.ts";
import type { AppRegistryClient } from "../client/createAppRegistryClient.ts";
import { parseDid } from "../did.ts";
import { connect } from "./connection.ts";
import { type Root, type Run, signingOptions } from "./program.ts";
import { address, callOutcome, openSender } from "./sending.ts";

/** What a controller says of a newcomer to its DID. */
type NewcomerCommand = {
  name: string;
  description: string;
  /** Shown after the options. */
  help: string;
  prepare: (client: AppRegistryClient, about: { did: string; controller: Address }) => PreparedCall;
};

/** Adds a command by which a controller of a DID speaks for or against a newcomer. */
export function addNewcomerCommand(root: Root, run: Run, options: NewcomerCommand): void {
  const { name, description, help, prepare } = options;
  root
    .command(name)
    .description(description)
    .argument("<did>")
    .argument("<controller>", "address of the newcomer")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((text, newcomer, given, command) =>
      run(async (terminal) => {
        const { did } = parseDid(text);
        const controller = address(newcomer, "The controller");
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, given, terminal);
        const call = prepare(connection.client, { did, controller });
        return callOutcome(connection, sender, call, { did, controller });
      }),
    );
}
