import { connectAppRegistry, fetchDocument, formatProvenLine, verifyApp } from "@app-registry/sdk";
import { getDomain } from "tldts";

export type Verdict = {
  /** Proven host of the service, and the facts that are not proven. */
  sentence: string;
  facts: { name: string; outcome: "pass" | "fail" | "unknown"; reason: string }[];
};

/** Returns the site of a host. Each tenant of a shared host such as `github.io` is a separate site. */
const getSite = (host: string) => getDomain(host, { allowPrivateDomains: true });

/**
 * Verifies the latest version of a service in this browser. Reads the chain and the document itself.
 *
 * @throws {AppRegistryError} for an invalid DID, or if the registry does not respond.
 */
export async function verify(registry: string, did: string): Promise<Verdict> {
  // The registry's web service provides the contract addresses and an RPC endpoint. If you don't trust it, use your
  // own: createAppRegistryClient({ deployment, publicClient }).
  const client = await connectAppRegistry(registry);
  // `fetchDocument` also checks the document that the publisher hosts. Without it, only the copy on the chain is
  // checked.
  const report = await verifyApp({ client, did, fetchDocument, siteOf: getSite });

  const { control } = report.facts;
  const facts = Object.entries(report.facts).map(([name, { outcome, reason }]) => ({
    name,
    outcome,
    reason,
  }));
  // `unknown` is not a pass: a host or the chain did not respond.
  const { before, name, after } = formatProvenLine(report.did, control.outcome);
  const failing = facts.flatMap((fact) => (fact.outcome === "pass" ? [] : [fact.name]));
  const but = failing.length === 0 ? "" : `, but not proven: ${failing.join(", ")}`;
  const sentence = `${before} ${name}${after}${but}`;
  return { sentence, facts };
}
