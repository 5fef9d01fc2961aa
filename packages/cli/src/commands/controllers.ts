import type { AppRegistryClient, PreparedCall } from "@app-registry/sdk";
import type { Address } from "viem";
import { inTime } from "../connection.ts";
import { parseAddress, parseDidName } from "../inputs.ts";
import type { Program } from "../program.ts";
import { times } from "../terminal.ts";

/** What a controller of a DID says about another account. */
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
    description: "let an attested newcomer count as a controller without waiting",
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
export function addControllers({ root, sends }: Program): void {
  for (const { name, description, help, prepare } of commands) {
    const example = `Example:\n  $ app-registry ${name} did:web:example.com 0x70997970C51812dc3A010C7d01b50e0d17dc79C8`;
    const command = root
      .command(name)
      .description(description)
      .argument("<did>", "DID of the service", parseDidName)
      .argument("<account>", "address of the account", parseAddress("The account"))
      .addHelpText("after", `\n${help}\n\n${example}`);
    sends(command, (did, controller) => ({ client }) => ({
      call: prepare(client, { did, controller }),
      controller,
    }));
  }
}

const challengeHelp = `
A challenge can be resolved after the resolver's challenge period (7 days by default), for as long again; then it is
void. It ousts the incumbent when more issuers attest you than the incumbent; else it stays open.

Examples:
  $ app-registry challenge open did:web:example.com 0x7099…79C8
  $ app-registry challenge show did:web:example.com 0x7099…79C8 --challenger 0x3C44…93BC
  $ app-registry challenge resolve did:web:example.com 0x7099…79C8`;

/** `challenge open | show | resolve`: oust a controller whom fewer issuers attest. */
export function addChallenge({ root, action, sends }: Program): void {
  const challenge = root
    .command("challenge")
    .description("oust a controller of a DID whom fewer issuers attest")
    .addHelpText("after", challengeHelp);
  const add = (name: string, description: string) =>
    challenge
      .command(name)
      .description(description)
      .argument("<did>", "DID of the service", parseDidName)
      .argument("<incumbent>", "address of the controller", parseAddress("The incumbent"));

  const open = add("open", "challenge a controller; you need a live attestation of your own");
  sends(open, (did, incumbent) => ({ client }, challenger) => ({
    call: client.prepareChallengeDid({ did, incumbent }),
    incumbent,
    challenger,
  }));

  add("show", "show an open challenge")
    .requiredOption("--challenger <address>", "who opened it", parseAddress("--challenger"))
    .action(
      action(async ({ connect }, did, incumbent, { challenger }) => {
        const connection = await connect();
        const { client } = connection;
        const about = { did, incumbent, challenger };
        const found = await inTime(connection, async () => {
          const challenge = await client.getChallenge(about);
          // A DID that was neither attested nor registered was probably misspelt.
          if (!challenge && !(await client.isClaimed(did))) await client.latestMajor(did);
          return challenge;
        });
        const json = { ...about, challenge: found ?? null };
        if (!found) return { json, lines: ["There is no open challenge."] };
        const { openedAt, resolvableFrom, voidFrom } = found;
        const lines = times({ opened: openedAt, "resolvable from": resolvableFrom, "void from": voidFrom });
        return { json, lines };
      }),
    );

  const resolve = add("resolve", "oust the challenged controller; anyone may").option(
    "--challenger <address>",
    "who opened it (default: you)",
    parseAddress("--challenger"),
  );
  sends(resolve, (did, incumbent, options) => ({ client }, from) => {
    const { challenger = from } = options;
    return {
      call: client.prepareResolveChallenge({ did, incumbent, challenger }),
      incumbent,
      challenger,
    };
  });
}
