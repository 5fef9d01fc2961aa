import { HashAlgorithm, hashDocument } from "@app-registry/sdk";
import { arbitraryMetadata } from "@app-registry/test-kit/arbitraryMetadata";
import { serveFiles } from "@app-registry/test-kit/httpServer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createGuardedFetch } from "../fetch/guardedFetch.ts";
import { discoverService } from "./discoverService.ts";
import { fillMetadata } from "./fillMetadata.ts";
import { createProposal } from "./findingList.ts";

const source = { guardedFetch: createGuardedFetch({ allowLoopback: true }) };
const computeHash = (text: string) => hashDocument(text, HashAlgorithm.keccak256).dataHash;

describe("a metadata JSON that is read from its URL", () => {
  // @threat documents: JSON that parsers disagree about, or that loses members
  it("keeps its dataHash with any unknown fields", async () => {
    const { origin, files } = await serveFiles();
    await fc.assert(
      fc.asyncProperty(arbitraryMetadata, async (metadata) => {
        const text = JSON.stringify(metadata);
        files.set("/metadata.json", text);
        const answer = await discoverService(`${origin}/metadata.json`, source);
        // Serialize the value as an HTTP response would.
        const discovery: typeof answer = JSON.parse(JSON.stringify(answer));
        const proposal = createProposal(discovery);
        expect(proposal.proposed).toEqual([]);
        expect(computeHash(JSON.stringify(fillMetadata({}, proposal.metadata).metadata))).toBe(
          computeHash(text),
        );
      }),
    );
  });
});
