import type { AppStatus } from "@app-registry/sdk";
import { parseDid, parseStatus, statusNames } from "@app-registry/sdk";
import { type Connection, connect, inTime } from "../connection.ts";
import { UsageError } from "../exitCodes.ts";
import { parseMajor } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { callOutcome, openSender } from "../sending.ts";

const examples = `
Setting the status that stands is done already and sends nothing.

Examples:
  $ app-registry status did:web:example.com
  $ app-registry status did:web:example.com deprecated --major 1`;

/** `status`: shows or sets whether a service is Active, Deprecated or Replaced. */
export function addStatus(root: Root, run: Run): void {
  root
    .command("status")
    .description("show or set the status of a service")
    .argument("<did>")
    .argument("[status]", "active, deprecated or replaced: set it")
    .option("--major <number>", "major version (default: the latest)", parseMajor)
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", examples)
    .action((name, wanted, options, command) =>
      run(async (terminal) => {
        const { did } = parseDid(name);
        const status = wanted === undefined ? undefined : readWanted(wanted);
        const connection = await connect(command.optsWithGlobals());
        const { major, present } = await inTime(connection, () => readStatus(connection, did, options.major));
        const json = { did, major, recordStatus: statusNames[status ?? present] };
        if (status === undefined || status === present) {
          const line = `Major version ${major} of ${did} is ${statusNames[present]}.`;
          return { json: { status: "unchanged", ...json }, lines: [line] };
        }
        const sender = await openSender(connection, options, terminal);
        const call = connection.client.prepareUpdateStatus({ did, major, status });
        return callOutcome(connection, sender, call, json);
      }),
    );
}

async function readStatus({ client }: Connection, did: string, wanted: number | undefined) {
  const major = wanted ?? (await client.latestMajor(did));
  const { status: present } = await client.getAppSummary({ did, major });
  return { major, present };
}

function readWanted(text: string): AppStatus {
  const status = parseStatus(text);
  if (status !== undefined) return status;
  throw new UsageError(`"${text}" is no status.`, "Write active, deprecated or replaced.");
}
