import { interfaceNames } from "../../interfaces.ts";
import { parseJsonStrict } from "../../json.ts";
import { checkPublishable } from "../../metadata/checkPublishable.ts";
import { ExitCode } from "../exitCodes.ts";
import { parseInterfaces, readText } from "../inputs.ts";
import type { Root, Run } from "../program.ts";
import { columns } from "../terminal.ts";

const examples = `
Examples:
  $ app-registry validate metadata.json --interfaces api
  $ app-registry validate metadata.json --interfaces human,api --did did:web:example.com`;

/** `validate`: everything that keeps a document from being published. */
export function addValidate(root: Root, run: Run): void {
  root
    .command("validate")
    .description("list everything that keeps a metadata document from being published")
    .argument("<file|url>", "a file, - for standard input, or a URL")
    .requiredOption(
      "--interfaces <list>",
      "human, api, contract, several with commas, or 1 to 7",
      parseInterfaces,
    )
    .option("--did <did>", "the DID it is to be published under", "")
    .addHelpText("after", examples)
    .action((place, { interfaces, did }, command) =>
      run(async () => {
        const text = await readText(place, command.optsWithGlobals().timeout * 1_000);
        const problems = checkPublishable(parseJsonStrict(text), interfaces, did);
        const names = interfaceNames(interfaces).join(", ");
        const rows = problems.map(({ pointer, message }) => [pointer || "(document)", message]);
        return {
          json: { interfaces, problems },
          lines: problems.length === 0 ? [`May be published for ${names}.`] : columns(rows),
          exitCode: problems.length === 0 ? ExitCode.ok : ExitCode.failed,
        };
      }),
    );
}
