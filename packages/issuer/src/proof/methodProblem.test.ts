import { createGuardedFetch } from "@app-registry/outbound";
import { type DidHost, startDidHost } from "@app-registry/test-kit/didHost";
import { getAddress } from "viem";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import vectors from "../../../sdk/test/vectors/did-document-terms.json" with { type: "json" };
import { checkDidControl } from "./checkDidControl.ts";

const { chainId } = vectors;
const wallet = getAddress(vectors.wallet);
const now = Date.parse(vectors.now);
const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 10_000 });

let host: DidHost;
beforeAll(async () => {
  host = await startDidHost();
});
afterAll(() => host.close());

/** Serves a document of the test vectors for a new DID. */
function serve(document: object): string {
  const did = host.did();
  put(did, JSON.stringify(document).replaceAll(vectors.did, did));
  return did;
}

const put = (did: string, text: string) => host.put(`/${did.split(":").at(-1)}/did.json`, text);

const check = (did: string) =>
  checkDidControl({
    did,
    controller: wallet,
    guardedFetch,
    chainClient: () => undefined,
    chainId,
    allowLoopback: true,
    now,
  });

type Term = { term: string; cases: { name: string; document: object; outcome: string; reason?: string }[] };

describe.each<Term>(vectors.terms)("a DID document, with the term $term", ({ cases }) => {
  const accepted = cases.filter(({ outcome }) => outcome === "accepted");
  const refused = cases.filter(({ outcome }) => outcome === "refused");

  it.each(accepted)("proves control for $name", async ({ document }) => {
    expect(await check(serve(document))).toMatchObject({ outcome: "pass" });
  });

  // @threat services: A did.json of another DID or host, or a key that it marks as unusable
  it.each(refused)(
    "does not prove control, with a reason and a document to publish, for $name",
    async ({ document, reason }) => {
      const did = serve(document);
      const control = await check(did);
      if (control.outcome === "pass" || !control.publish) throw new Error("passed, or no file proposed");
      expect(control.outcome).toBe("fail");
      expect(control.ways.map((way) => way.reason)).toContainEqual(expect.stringContaining(reason ?? "?"));
      put(did, control.publish.document);
      expect(await check(did)).toMatchObject({ outcome: "pass" });
    },
  );
});
