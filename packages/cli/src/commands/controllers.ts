import type { AppRegistryClient, PreparedCall } from "@app-registry/sdk";
import { parseDid } from "@app-registry/sdk";
import type { Address } from "viem";
import { connect } from "../connection.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";

/** What a controller of a DID says of another account. */
type Command = {
  name: string;
  description: string;
  /** Shown after the options. */
  help: string;
  prepare: (client: AppRegistryClient, about: { did: string; controller: Address }) => PreparedCall;
};

const commands: readonly Command[] = [
  {
    name: "vouch",
    description: "let an attested newcomer count as a controller without the wait",
    help: "You must count as a controller of the DID. It also withdraws your objection to the newcomer.",
    prepare: (client, about) => client.prepareVouchController(about),
  },
  {
    name: "object",
    description: "keep an account from counting as a controller",
    help: `You must count as a controller of the DID, or be late with your renewal, and the account must not count. Your
objection bars the attestations of the account that have not settled yet. It ends when no issuer stands behind you any
more, or when more issuers than those that do have attested the account for a week since their attestation settled.`,
    prepare: (client, about) => client.prepareObjectToController(about),
  },
  {
    name: "withdraw-objection",
    description: "end your objection to an account",
    help: "Other controllers' objections to the account stay.",
    prepare: (client, about) => client.prepareWithdrawObjection(about),
  },
];

/** `vouch`, `object` and `withdraw-objection`: what a controller of a DID says of another account. */
export function addControllers(root: Root, run: Run): void {
  for (const { name, description, help, prepare } of commands) {
    root
      .command(name)
      .description(description)
      .argument("<did>")
      .argument("<account>", "address of the account")
      .addOption(signingOptions.keystore)
      .addOption(signingOptions.dryRun)
      .addOption(signingOptions.from)
      .addOption(signingOptions.yes)
      .addHelpText(
        "after",
        `
${help}

Example:
  $ app-registry ${name} did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`,
      )
      .action((text, account, given, command) =>
        run(async (terminal) => {
          const { did } = parseDid(text);
          const controller = address(account, "The account");
          const connection = await connect(command.optsWithGlobals());
          const sender = await openSender(connection, given, terminal);
          const call = prepare(connection.client, { did, controller });
          return callOutcome(connection, sender, call, { did, controller });
        }),
      );
  }
}
