import { parseDid } from "@app-registry/sdk";
import { type Connection, connect, inTime } from "../connection.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";
import { table, time } from "../terminal.ts";

const help = `
A challenge can be resolved after the resolver's challenge period (7 days by default), for as long again; then it is
void. It ousts the incumbent when more issuers attest you than the incumbent; else it stays open.

Examples:
  $ app-registry challenge open did:web:example.com 0x7099…79C8
  $ app-registry challenge show did:web:example.com 0x7099…79C8 --challenger 0x3C44…93BC
  $ app-registry challenge resolve did:web:example.com 0x7099…79C8`;

/** A DID that was neither attested nor registered was probably misspelt. @throws {ContractRevertError} */
async function requireKnownDid({ client }: Connection, did: string): Promise<void> {
  if (!(await client.isClaimed(did))) await client.latestMajor(did);
}

/** `challenge open | show | resolve`: oust a controller whom fewer issuers attest. */
export function addChallenge(root: Root, run: Run): void {
  const challenge = root
    .command("challenge")
    .description("oust a controller of a DID whom fewer issuers attest")
    .addHelpText("after", help);

  challenge
    .command("open")
    .description("challenge a controller; you need a live attestation of your own")
    .argument("<did>")
    .argument("<incumbent>", "address of the controller")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .action((name, controller, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const incumbent = address(controller, "The incumbent");
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, options, terminal);
        const call = connection.client.prepareChallengeDid({ did, incumbent });
        return callOutcome(connection, sender, call, { did, incumbent, challenger: sender.address });
      }),
    );

  challenge
    .command("show")
    .description("show an open challenge")
    .argument("<did>")
    .argument("<incumbent>", "address of the controller")
    .requiredOption("--challenger <address>", "who opened it")
    .action((name, controller, options, command) =>
      run(async () => {
        const { did } = parseDid(name);
        const incumbent = address(controller, "The incumbent");
        const challenger = address(options.challenger, "--challenger");
        const connection = await connect(command.optsWithGlobals());
        const found = await inTime(connection, () =>
          connection.client.getChallenge({ did, incumbent, challenger }),
        );
        const json = { did, incumbent, challenger, challenge: found ?? null };
        if (!found) {
          await inTime(connection, () => requireKnownDid(connection, did));
          return { json, lines: ["There is no open challenge."] };
        }
        const { openedAt, resolvableFrom, voidFrom } = found;
        const rows = { opened: openedAt, "resolvable from": resolvableFrom, "void from": voidFrom };
        return { json, lines: table(Object.entries(rows).map(([label, at]) => [label, time(at)])) };
      }),
    );

  challenge
    .command("resolve")
    .description("oust the challenged controller; anyone may")
    .argument("<did>")
    .argument("<incumbent>", "address of the controller")
    .option("--challenger <address>", "who opened it (default: you)")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .action((name, controller, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const incumbent = address(controller, "The incumbent");
        const connection = await connect(command.optsWithGlobals());
        const sender = await openSender(connection, options, terminal);
        const challenger =
          options.challenger === undefined ? sender.address : address(options.challenger, "--challenger");
        const call = connection.client.prepareResolveChallenge({ did, incumbent, challenger });
        return callOutcome(connection, sender, call, { did, incumbent, challenger });
      }),
    );
}
