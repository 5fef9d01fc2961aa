import { createServer, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { createIssuer } from "@app-registry/issuer";
import { createGuardedFetch } from "@app-registry/outbound";
import {
  formatVersion,
  listAddresses,
  normalizeAddress,
  parseSubject,
  parseVersionedDidPath,
  type SearchResult,
  searchChain,
} from "@app-registry/sdk";
import type { Address, LocalAccount } from "viem";
import { createDidDocument } from "./didHost.ts";
import { listen } from "./listen.ts";
import { createDatabase } from "./postgres.ts";
import type { TestRegistry } from "./testRegistry.ts";

/** Web service of a registry on the chain of the tests. */
export type RegistryService = Awaited<ReturnType<typeof startRegistryService>>;

const dataUrls = "/api/data-url/";

/** Documents of publishers to import. */
const documents: Record<string, object> = {
  "/.well-known/agent-card.json": { name: "Weather agent", description: "Forecasts", version: "1.0.0" },
  "/openapi.json": {
    openapi: "3.1.0",
    info: { title: "Weather API", version: "1.0.0" },
    servers: [{ url: "https://api.example.com/v1" }],
  },
};

/** Returns the live record of a registry without live checks. */
function unasked(path: string) {
  const { did, patch = 0, ...version } = parseVersionedDidPath(path);
  const record = { did, version: formatVersion({ ...version, patch }), dataHash: `0x${"0".repeat(64)}` };
  return { ...record, probe: null, answeredAt: null, nextAt: null, history: [] };
}

/**
 * Starts a web service on loopback with the routes that the SDK calls. Its own issuer sends its attestations or only
 * signs them. It also serves DID documents.
 */
export async function startRegistryService(registry: TestRegistry, mode: "send" | "sign" = "send") {
  const { deployment, chain, publisher, newAccount, addIssuer } = registry;
  const account = (await newAccount()).account as LocalAccount;
  await addIssuer(account.address);
  // Allow more time than for a public host: on a busy machine this process answers late.
  const guardedFetch = createGuardedFetch({ allowLoopback: true, timeout: 60_000 });
  const postgres = await createDatabase();
  const database = postgres.connect();
  const issuer = await createIssuer({
    database,
    account,
    deployment,
    publicClient: chain,
    guardedFetch,
    allowLoopback: true,
    mode,
  });
  const didDocuments = new Map<string, object>();

  async function answer(request: IncomingMessage, url: URL): Promise<unknown> {
    if (url.pathname.startsWith("/api/live/")) return unasked(url.pathname.slice("/api/live/".length));
    switch (url.pathname) {
      case "/api/deployment":
        return { ...deployment, rpcUrl: service.rpcUrl, packages: service.packages };
      case "/api/search": {
        const query = Object.fromEntries(url.searchParams);
        const page = await searchChain({ client: publisher, ...query });
        if (service.indexAway) return page;
        return { ...page, source: "index", block: page.block - service.indexDelay };
      }
      case "/api/lookup":
        return lookUp(url.searchParams.get("subject") ?? "");
      case "/api/verify-and-attest":
        return issuer.verifyAndAttest(JSON.parse(await text(request)));
      case "/api/verify-and-attest/batch":
        return attestBatch(JSON.parse(await text(request)));
      default:
        if (!url.pathname.startsWith(dataUrls))
          return documents[url.pathname] ?? didDocuments.get(url.pathname);
        return readDocument(url.pathname.slice(dataUrls.length));
    }
  }

  /** Looks up a URL among the records whose JSON is on the chain, as if their DIDs proved it. */
  async function lookUp(text: string) {
    const subject = parseSubject(text);
    const { results, block } = await searchChain({ client: publisher, limit: 100 });
    const lists = async ({ did }: SearchResult) => {
      if (service.lookupDid !== undefined) return did === service.lookupDid;
      const stored = await publisher.getMetadata(did);
      const addresses = stored ? listAddresses(did, JSON.parse(stored.json)) : [];
      return addresses.some(({ url }) => normalizeAddress(url) === subject.text);
    };
    const listing = await Promise.all(results.map(lists));
    const exact = results
      .filter((_, index) => listing[index])
      .map((found) => ({ service: found, uses: ["endpoint"] }));
    return { subject: { kind: subject.kind, text: subject.text }, exact, claimed: [], near: [], block };
  }

  async function attestBatch({ dids, ...rest }: { dids: string[]; connectedAddress: Address }) {
    const attest = async (did: string) => {
      const response = await issuer.verifyAndAttest({ did, ...rest });
      return { did, httpStatus: response.status === "failed" ? 422 : 200, response };
    };
    return { results: await Promise.all(dids.map(attest)) };
  }

  async function readDocument(path: string): Promise<unknown> {
    const { did, ...version } = parseVersionedDidPath(path);
    const { pointer } = await publisher.getVersionRecord({ did, version });
    return pointer && JSON.parse(await publisher.getMetadataAt(pointer));
  }

  const server = createServer(async (request, response) => {
    const body = await answer(request, new URL(request.url ?? "", "http://localhost")).catch(
      (error: Error) => ({
        status: "failed",
        detail: error.message,
      }),
    );
    const failed = body === undefined || (body as { status?: unknown }).status === "failed";
    response.writeHead(failed ? 422 : 200, { "content-type": "application/json" });
    response.end(body === "" ? body : JSON.stringify(body ?? {}));
  });
  const { port, origin: baseUrl, close } = await listen(server, "localhost");

  const service = {
    baseUrl,
    /** Account of its issuer. */
    issuerAccount: account,
    /** Host of the service as in a did:web, `localhost%3A<port>`. */
    didHost: `localhost%3A${port}`,
    /** Number of blocks by which the search index is behind the chain. */
    indexDelay: 0,
    /** True to search the chain, like a service whose index is unavailable. */
    indexAway: false,
    /** DID whose records every lookup names as exact, in place of those that list the address. */
    lookupDid: undefined as string | undefined,
    packages: undefined as Record<string, string> | undefined,
    /** RPC endpoint that the service names. */
    rpcUrl: chain.transport.url ?? "",
    /** Database of its issuer. */
    pool: database,
    /** Returns a did:web on this host whose document names the wallets. */
    did(name: string, ...wallets: Address[]) {
      const id = `did:web:localhost%3A${port}:${name}`;
      didDocuments.set(`/${name}/did.json`, createDidDocument(id, wallets, deployment.chainId));
      return id;
    },
    async close() {
      await close();
      issuer.close();
      await database.end();
      await postgres.stop();
      await guardedFetch.close();
    },
  };
  return service;
}
