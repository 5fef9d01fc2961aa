import { ExitCode, UsageError } from "@app-registry/mcp";
import {
  HashAlgorithm,
  hashAlgorithmName,
  hashDocument,
  Interfaces,
  interfaceNames,
  parseJsonStrict,
} from "@app-registry/sdk";
import {
  documentProblems,
  parseAlgorithm,
  parseCanonicalDid,
  parseInterfaces,
  problemLines,
  readMetadata,
  readText,
} from "../inputs.ts";
import type { Program } from "../program.ts";

const hashHelp = `
Converts the document to canonical form (RFC 8785) and prints the hash that the registry would record.

Examples:
  $ app-registry hash metadata.json
  $ app-registry hash https://example.com/metadata.json --algorithm sha256`;

export function registerHashCommand({ root, action }: Program): void {
  root
    .command("hash")
    .description("print the dataHash of a metadata document")
    .argument("<file|url>", "a file, - for standard input, or a URL")
    .option("--algorithm <name>", "keccak256 or sha256", parseAlgorithm, HashAlgorithm.keccak256)
    .addHelpText("after", hashHelp)
    .action(
      action(async ({ timeoutMs }, place, { algorithm }) => {
        const { canonical, dataHash } = hashDocument(await readText(place, timeoutMs), algorithm);
        const size = new TextEncoder().encode(canonical).length;
        return { json: { dataHash, algorithm: hashAlgorithmName(algorithm), size }, lines: [dataHash] };
      }),
    );
}

const validateHelp = `
Runs the same checks as publish, without contacting a registry. Takes the same --interfaces, --did and --no-on-chain-json options.

Examples:
  $ app-registry validate metadata.json --interfaces api
  $ app-registry validate metadata.json --interfaces human,api --did did:web:example.com`;

export function addValidate({ root, action }: Program): void {
  root
    .command("validate")
    .description("list all problems that prevent a metadata document from being published")
    .argument("<file|url>", "a file, - for standard input, or a URL")
    .requiredOption(
      "--interfaces <list>",
      "human, api, contract (comma-separated), or 1 to 7",
      parseInterfaces,
    )
    .option("--did <did>", "DID to publish under (required for the Contract interface)", parseCanonicalDid)
    .option("--no-on-chain-json", "don't store the JSON on the chain (which has a smaller size limit)")
    .addHelpText("after", validateHelp)
    .action(
      action(async ({ terminal, timeoutMs }, place, { interfaces, did = "", onChainJson }) => {
        if (did === "" && (interfaces & Interfaces.Contract) !== 0) {
          throw new UsageError(
            "A contract must be published under the DID of its address.",
            "Add --did did:pkh:….",
          );
        }
        const text = await readMetadata(place, timeoutMs, terminal);
        const problems = documentProblems(parseJsonStrict(text), interfaces, did, onChainJson);
        const names = interfaceNames(interfaces);
        const noun = names.length === 1 ? "interface" : "interfaces";
        return {
          json: { interfaces, problems },
          lines:
            problems.length === 0
              ? [`Ready to publish (${noun}: ${names.join(", ")}).`]
              : problemLines(problems),
          exitCode: problems.length === 0 ? ExitCode.ok : ExitCode.failed,
        };
      }),
    );
}
