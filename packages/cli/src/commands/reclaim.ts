import { parseDid } from "@app-registry/sdk";
import { connect, inTime } from "../connection.ts";
import { parseMajor } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { address, callOutcome, openSender } from "../sending.ts";
import { table, time } from "../terminal.ts";

const help = `
When neither minter nor holder of a record controls its DID any more, a controller who counts may open a reclaim of
its own; 30 to 60 days later it finishes it and holds the token, unless minter or holder controlled the DID meanwhile.

Examples:
  $ app-registry reclaim open did:web:example.com --major 1
  $ app-registry reclaim show did:web:example.com --major 1 --claimant 0x7099…79C8
  $ app-registry reclaim finish did:web:example.com --major 1`;

const steps = [
  { name: "open", description: "open your reclaim of a record", prepare: "prepareOpenReclaim" },
  {
    name: "finish",
    description: "take the token, 30 to 60 days after you opened it",
    prepare: "prepareFinishReclaim",
  },
] as const;

/** `reclaim open | show | finish`: the way to a record whose publisher lost its DID. */
export function addReclaim(root: Root, run: Run): void {
  const reclaim = root
    .command("reclaim")
    .description("take over the record of a DID that its publisher no longer controls")
    .addHelpText("after", help);

  for (const { name: step, description, prepare } of steps) {
    reclaim
      .command(step)
      .description(description)
      .argument("<did>")
      .requiredOption("--major <number>", "major version", parseMajor)
      .addOption(signingOptions.keystore)
      .addOption(signingOptions.dryRun)
      .addOption(signingOptions.from)
      .addOption(signingOptions.yes)
      .action((name, options, command) =>
        run(async (terminal) => {
          const { did } = parseDid(name);
          const connection = await connect(command.optsWithGlobals());
          const sender = await openSender(connection, options, terminal);
          const call = connection.client[prepare]({ did, major: options.major });
          return callOutcome(connection, sender, call, { did, major: options.major });
        }),
      );
  }

  reclaim
    .command("show")
    .description("show a claimant's reclaim")
    .argument("<did>")
    .requiredOption("--major <number>", "major version", parseMajor)
    .requiredOption("--claimant <address>", "who opened it")
    .action((name, { major, ...options }, command) =>
      run(async () => {
        const { did } = parseDid(name);
        const claimant = address(options.claimant, "--claimant");
        const connection = await connect(command.optsWithGlobals());
        const found = await inTime(connection, () => connection.client.getReclaim({ did, major, claimant }));
        const json = { did, major, claimant, reclaim: found ?? null };
        if (!found) return { json, lines: ["No reclaim of this claimant runs."] };
        const { openedAt, finishableFrom, voidFrom } = found;
        const rows = { opened: openedAt, "finishable from": finishableFrom, "void from": voidFrom };
        return { json, lines: table(Object.entries(rows).map(([label, at]) => [label, time(at)])) };
      }),
    );
}
