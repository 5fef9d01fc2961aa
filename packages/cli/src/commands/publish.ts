import { formatVersion, parseVersion } from "@app-registry/sdk";
import { connect } from "../connection.ts";
import { parseAlgorithm, parseInterfaces, readMetadata } from "../inputs.ts";
import { type Root, type Run, signingOptions } from "../program.ts";
import { publish } from "../publishing.ts";
import { openSender } from "../sending.ts";

const help = `
May be repeated: a version that is published with this content is done already (exit 0); with other content it is an
error. A higher version of a registered major is an update, the next major a new record. A major below the latest one
that is not registered is probably a mistake: a person is asked, and otherwise it takes --allow-new-major. Control of the
DID is proven first when that is needed and a registry's web service is known.

Examples:
  $ app-registry publish metadata.json --did did:web:example.com --version 1.0.0
  $ app-registry publish metadata.json --did did:web:example.com --version 1.1.0 --dry-run
  $ PRIVATE_KEY=… app-registry publish metadata.json --did did:web:example.com --version 1.0.0 --yes --json`;

/** `publish`: registers a version of a service, or says that it is registered. */
export function addPublish(root: Root, run: Run): void {
  root
    .command("publish")
    .description("register a version of a service")
    .argument("<file|url>", "the metadata document: a file, - for standard input, or a URL")
    .requiredOption("--did <did>", "DID of the service")
    .requiredOption("--version <version>", "version, major.minor.patch", (text) =>
      formatVersion(parseVersion(text)),
    )
    .option(
      "--interfaces <list>",
      "human, api, contract, or 1 to 7 (default: what the document shows)",
      parseInterfaces,
    )
    .option("--algorithm <name>", "keccak256 (default) or sha256", parseAlgorithm)
    .option("--data-url <url>", "where you host the document (default: the registry's own link)")
    .option("--no-on-chain-json", "keep the JSON off the chain; needs --data-url")
    .option("--allow-new-major", "register a major version below the latest one, if it is not registered yet")
    .option("--contract-id <id>", "CAIP-10 of the contract, for a new record")
    .option("--fungible-token-id <id>", "CAIP-19 of the token, for a new record")
    .addOption(signingOptions.keystore)
    .addOption(signingOptions.dryRun)
    .addOption(signingOptions.from)
    .addOption(signingOptions.yes)
    .addHelpText("after", help)
    .action((place, options, command) =>
      run(async (terminal) => {
        const connection = await connect(command.optsWithGlobals());
        const metadata = await readMetadata(place, connection.timeoutMs, terminal);
        const sender = await openSender(connection, options, terminal);
        const asks = terminal.interactive && !terminal.json && !options.yes;
        return publish(connection, sender, {
          metadata,
          ...options,
          allowNewMajor: options.allowNewMajor ?? asks,
        });
      }),
    );
}
