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
    description: "let an attested account control the DID without waiting",
    help: "You must be a current controller of the DID. This also withdraws your objection to the account.",
    prepare: (client, about) => client.prepareVouchController(about),
  },
  {
    name: "object",
    description: "object to an account, so that it doesn't control the DID",
    help: `You must be a current controller of the DID, or have an overdue renewal, and the account must not be a current controller. Your objection blocks the account's attestations that have not matured yet. It ends when no issuer backs you any more, or when more issuers than back you have attestations of the account that matured at least a week ago.`,
    prepare: (client, about) => client.prepareObjectToController(about),
  },
  {
    name: "withdraw-objection",
    description: "withdraw your objection to an account",
    help: "Objections by other controllers remain in force.",
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
After the resolver's challenge period (7 days by default), a challenge can be resolved for the same length of time. After that it expires. If more issuers back you than the challenged controller, resolving removes that controller. Otherwise the challenge stays open.

Examples:
  $ app-registry challenge open did:web:example.com 0x7099…79C8
  $ app-registry challenge show did:web:example.com 0x7099…79C8 --challenger 0x3C44…93BC
  $ app-registry challenge resolve did:web:example.com 0x7099…79C8`;

/** `challenge open | show | resolve`: oust a controller whom fewer issuers attest. */
export function addChallenge({ root, action, sends }: Program): void {
  const challenge = root
    .command("challenge")
    .description("remove a controller of a DID that fewer issuers back")
    .addHelpText("after", challengeHelp);
  const add = (name: string, description: string) =>
    challenge
      .command(name)
      .description(description)
      .argument("<did>", "DID of the service", parseDidName)
      .argument("<incumbent>", "address of the controller", parseAddress("The controller"));

  const open = add("open", "challenge a controller (you need a live attestation)");
  sends(open, (did, incumbent) => ({ client }, challenger) => ({
    call: client.prepareChallengeDid({ did, incumbent }),
    incumbent,
    challenger,
  }));

  add("show", "show an open challenge")
    .requiredOption(
      "--challenger <address>",
      "account that opened the challenge",
      parseAddress("--challenger"),
    )
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
        const lines = times({ opened: openedAt, "can be resolved from": resolvableFrom, expires: voidFrom });
        return { json, lines };
      }),
    );

  const resolve = add(
    "resolve",
    "resolve a challenge and remove the controller (anyone can run this)",
  ).option(
    "--challenger <address>",
    "account that opened the challenge (default: you)",
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
