import { parseDid } from "../../did.ts";
import { connect, inTime } from "../connection.ts";
import { parseMajor } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { callOutcome, openSender } from "../sending.ts";
import { table, time } from "../terminal.ts";

const help = `
When neither minter nor holder of a record controls its DID any more, a controller who counts may open a reclaim;
30 days later it finishes it and holds the token. It lapses as soon as minter or holder counts again.

Examples:
  $ app-registry reclaim open did:web:example.com --major 1
  $ app-registry reclaim show did:web:example.com --major 1
  $ app-registry reclaim finish did:web:example.com --major 1`;

const steps = [
  { name: "open", description: "start the reclaim of a record", prepare: "prepareOpenReclaim" },
  {
    name: "finish",
    description: "take the token, 30 days after it was opened",
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
    .description("show the reclaim that runs")
    .argument("<did>")
    .requiredOption("--major <number>", "major version", parseMajor)
    .action((name, { major }, command) =>
      run(async () => {
        const { did } = parseDid(name);
        const connection = await connect(command.optsWithGlobals());
        const found = await inTime(connection, () => connection.client.getReclaim({ did, major }));
        const json = { did, major, reclaim: found ?? null };
        if (!found) return { json, lines: ["No reclaim runs."] };
        const rows = [
          ["claimant", found.claimant],
          ["finishable from", time(found.finishableAt)],
        ] as const;
        return { json, lines: table(rows) };
      }),
    );
}
