import { HashAlgorithm, hashAlgorithmName, hashDocument } from "@app-registry/sdk";
import { parseAlgorithm, readText } from "../inputs.ts";
import type { Root, Run } from "../program.ts";

const examples = `
The document is canonicalised (RFC 8785) and hashed, as the registry records it.

Examples:
  $ app-registry hash metadata.json
  $ app-registry hash https://example.com/metadata.json --algorithm sha256`;

/** `hash`: the dataHash of a document. */
export function addHash(root: Root, run: Run): void {
  root
    .command("hash")
    .description("print the dataHash of a metadata document")
    .argument("<file|url>", "a file, - for standard input, or a URL")
    .option("--algorithm <name>", "keccak256 or sha256", parseAlgorithm, HashAlgorithm.keccak256)
    .addHelpText("after", examples)
    .action((place, { algorithm }, command) =>
      run(async () => {
        const text = await readText(place, command.optsWithGlobals().timeout * 1_000);
        const { canonical, dataHash } = hashDocument(text, algorithm);
        const size = new TextEncoder().encode(canonical).length;
        return { json: { dataHash, algorithm: hashAlgorithmName(algorithm), size }, lines: [dataHash] };
      }),
    );
}
