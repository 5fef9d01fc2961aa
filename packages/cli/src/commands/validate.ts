import {
  canonicalizeJson,
  checkPublishable,
  Interfaces,
  interfaceNames,
  parseDid,
  parseJsonStrict,
} from "@app-registry/sdk";
import { storageProblems } from "@app-registry/sdk/internal";
import { ExitCode, UsageError } from "../exitCodes.ts";
import { parseInterfaces, readMetadata } from "../inputs.ts";
import type { Root, Run } from "../program.ts";
import { columns } from "../terminal.ts";

const examples = `
Checks what publish checks before it asks the registry, with the same --interfaces, --did and --no-on-chain-json.

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
    .option("--did <did>", "the DID it is to be published under; the Contract interface needs it")
    .option("--no-on-chain-json", "the JSON is to be kept off the chain, which takes less than a host")
    .addHelpText("after", examples)
    .action((place, { interfaces, did: name, onChainJson }, command) =>
      run(async (terminal) => {
        const did = name === undefined ? "" : parseDid(name).did;
        if (did === "" && (interfaces & Interfaces.Contract) !== 0) {
          throw new UsageError(
            "A contract is published under the DID of its address.",
            "Give --did did:pkh:….",
          );
        }
        const text = await readMetadata(place, command.optsWithGlobals().timeout * 1_000, terminal);
        const problems = checkPublishable(parseJsonStrict(text), interfaces, did);
        if (problems.length === 0 && onChainJson) {
          problems.push(...storageProblems(new TextEncoder().encode(canonicalizeJson(text)).length));
        }
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
