import { isJsonObject, type JsonObject, parseJsonStrict } from "@app-registry/sdk";
import { GuardedFetchError } from "../fetch/guardedFetchError.ts";
import { mediaTypeIn } from "../fetch/mediaType.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { getSite } from "../site.ts";
import { mergeMetadata } from "./createProposal.ts";
import { detectDocument } from "./detectDocument.ts";
import { DiscoverySession } from "./discoverySession.ts";
import { type Discovery, type Finding, type FindingKind, findingKinds } from "./finding.ts";
import { isSameSite } from "./isSameSite.ts";
import { ADDRESS_LOOK } from "./labels.ts";
import { createGatedMcpFinding } from "./read/createGatedMcpFinding.ts";
import { createMcpFinding } from "./read/createMcpFinding.ts";
import { asStringArray } from "./read/json.ts";
import { MAX_OPENAPI_SIZE } from "./read/openApiFinding.ts";
import { paymentFinding } from "./read/paymentFinding.ts";
import type { Page } from "./read/readPage.ts";
import { type DescribedServer, serverCardFinding } from "./read/serverCard.ts";
import { fillVariables, sampleUrl, type VariableValues } from "./read/urlVariables.ts";
import { listIcons, websiteFinding } from "./read/websiteFinding.ts";
import { suggestDids } from "./suggestDids.ts";
import type { DiscoverOptions } from "./target.ts";

/** Maximum number of links followed from one catalog or registration file. */
const MAX_LINKS = 3;

/** Maximum number of servers read from the server cards in one document. */
const MAX_SERVERS = 6;

/** Paths of documents, at which no MCP server responds. */
const isDocument = /\/\.well-known\/|\/server-card$|\.(?:json|ya?ml|html?|txt|xml)$/i;

/** Conventional paths for each kind of service. The paths of one list are requested in order until one responds. */
const wellKnownLocations: { kind: FindingKind; lookedFor: string; paths: string[] }[] = [
  {
    kind: "mcp",
    lookedFor: "an MCP server card",
    paths: [
      "/.well-known/mcp/server-card.json",
      "/.well-known/mcp.json",
      "/.well-known/mcp-server-card",
      "/.well-known/mcp-server-card.json",
      "/mcp/server-card",
    ],
  },
  {
    kind: "a2a",
    lookedFor: "an agent card",
    paths: ["/.well-known/agent-card.json", "/.well-known/agent.json"],
  },
  {
    kind: "openapi",
    lookedFor: "an OpenAPI document",
    paths: ["/openapi.json", "/openapi.yaml", "/api/openapi.json", "/v3/api-docs"],
  },
  {
    kind: "erc8004",
    lookedFor: "an agent's registration file",
    paths: ["/.well-known/agent-registration.json"],
  },
  { kind: "metadata", lookedFor: "an AI catalog", paths: ["/.well-known/ai-catalog.json"] },
  { kind: "openapi", lookedFor: "an API catalog", paths: ["/.well-known/api-catalog"] },
];

const MCP_SERVER = "an MCP server";
const NO_ADDRESS = "The server card doesn't name the server's address. Enter the endpoint URL yourself.";

/** Conventional paths of MCP servers. */
const mcpPaths = ["/mcp", "/sse"];

/** Finds a service at a URL and at the conventional paths of its host. */
export async function discoverOnWeb(
  url: URL,
  did: string | undefined,
  options: DiscoverOptions,
): Promise<Discovery> {
  const { guardedFetch, readAgentUri, timeout = 20_000 } = options;
  const search = new WebDiscovery(url, new DiscoverySession(guardedFetch, timeout, readAgentUri), options);
  await search.run();
  const { findings, inquiry } = search;
  // The reason of an MCP server comes first, because its address answers a GET with some HTTP error.
  const { own = [], others = [] } = Object.groupBy(inquiry.looked, ({ place, lookedFor, outcome }) =>
    place === url.href && lookedFor === MCP_SERVER && outcome === "failed" ? "own" : "others",
  );
  return { input: url.href, dids: suggestDids(url, did), findings, looked: [...own, ...others] };
}

class WebDiscovery {
  readonly inquiry: DiscoverySession;
  readonly #address: URL;
  readonly #kind: FindingKind | undefined;
  readonly #variables: VariableValues;
  readonly #found: Finding[] = [];
  /** Findings read from the requested URL itself. */
  readonly #direct = new Set<Finding>();
  /** Findings of resources that require payment. Each is part of an API, or the only finding of one. */
  readonly #paid: Finding[] = [];
  #website: Finding | undefined;
  readonly #asked = new Set<string>();

  constructor(address: URL, inquiry: DiscoverySession, { kind, variables = {} }: DiscoverOptions) {
    this.#address = address;
    this.inquiry = inquiry;
    this.#kind = kind;
    this.#variables = variables;
  }

  /** Findings in order: those of the requested kind, then those of the URL itself, then the more specific kinds. */
  get findings(): Finding[] {
    const rank = (finding: Finding) =>
      (finding.kind === this.#kind ? 0 : 100) +
      (this.#direct.has(finding) ? 0 : 10) +
      findingKinds.indexOf(finding.kind);
    const findings = this.#found.toSorted((one, other) => rank(one) - rank(other));
    if (!this.#website) return findings;
    return this.#kind === "website" ? [this.#website, ...findings] : [...findings, this.#website];
  }

  async run(): Promise<void> {
    const mayBeMcp = this.#kind === undefined || this.#kind === "mcp";
    await Promise.all([
      this.#readDocument(this.#address, ADDRESS_LOOK),
      mayBeMcp && !isDocument.test(this.#address.pathname)
        ? this.#readMcp(this.#address, this.#kind === "mcp" || isMcpPath(this.#address))
        : undefined,
    ]);
    // The host can't be reached, so no other path of it can be read.
    if (this.#found.length === 0 && this.inquiry.hasNoHost) return;
    if (this.#found.length === 0 && this.#kind !== "website") await this.#guess();
    await this.#readCardBeside();
    for (const paid of this.#paid) this.#addPaid(paid);
    await this.#completeTexts();
  }

  /** Reads the card of an MCP server at the location that the draft of server cards reserves for it. */
  async #readCardBeside(): Promise<void> {
    const server = this.#found.find(({ kind, variables }) => kind === "mcp" && !variables);
    if (!server || isDocument.test(new URL(server.url).pathname)) return;
    const place = new URL(server.url);
    place.pathname = place.pathname.replace(/\/?$/, "/server-card");
    await this.#readDocument(place, "an MCP server card", false);
  }

  async #guess(): Promise<void> {
    const picked = this.#kind;
    if (picked !== undefined) await this.#guessKinds((kind) => kind === picked);
    if (this.#found.length === 0) await this.#guessKinds((kind) => kind !== picked);
  }

  async #guessKinds(isWanted: (kind: FindingKind) => boolean): Promise<void> {
    await Promise.all([
      ...wellKnownLocations.filter(({ kind }) => isWanted(kind)).map((guess) => this.#tryPaths(guess)),
      ...(isWanted("mcp") ? mcpPaths : []).map((path) => this.#readMcp(new URL(path, this.#address), false)),
    ]);
  }

  async #tryPaths({ lookedFor, paths }: (typeof wellKnownLocations)[number]): Promise<void> {
    for (const path of paths) {
      if (await this.#readDocument(new URL(path, this.#address), lookedFor)) return;
    }
  }

  /** Reads a document and records its findings. Returns true if it is recognized and not a web page. */
  async #readDocument(url: URL, lookedFor: string, isFollowed = true): Promise<boolean> {
    if (this.#asked.has(url.href)) return false;
    this.#asked.add(url.href);
    const isAddress = url.href === this.#address.href;
    const recognised = await this.inquiry.ask(url.href, lookedFor, async () => {
      const found = await this.inquiry.document(url, MAX_OPENAPI_SIZE).then(
        (document) => detectDocument(document, this.inquiry),
        async (error: unknown) => {
          if (!isPaymentRequired(error) || (!isAddress && isFollowed)) throw error;
          this.#paid.push(await this.#readPaid(url));
          return { type: "paid" } as const;
        },
      );
      // Some hosts return their page for every path, so a page says nothing about the path.
      return found?.type === "page" && !isAddress ? undefined : found;
    });
    if (!recognised) return false;
    const { type } = recognised;
    if (type === "paid") return true;
    if (type === "page") {
      const descriptions = recognised.page.links.filter(({ rel }) => rel.includes("service-desc"));
      const isWanted = this.#kind === undefined || this.#kind === "openapi";
      await Promise.all([
        this.#readWebsite(recognised.page, recognised.url),
        isWanted
          ? this.#follow(
              descriptions.map(({ href }) => href),
              url,
            )
          : undefined,
      ]);
      return false;
    }
    if (type === "finding") this.#add(recognised.finding, isAddress);
    if (type === "server cards") await this.#readServers(recognised.servers, url);
    else if (isFollowed) await this.#follow(recognised.links, url);
    return true;
  }

  /** Reads up to `MAX_LINKS` linked documents that are on the same site. */
  async #follow(links: readonly string[], from: URL): Promise<void> {
    const places = links.flatMap((link) => (URL.canParse(link, from.href) ? [new URL(link, from)] : []));
    await Promise.all(
      places.slice(0, MAX_LINKS).map(async (place) => {
        if (!this.#mayAsk(place)) return;
        const isMcp = !isDocument.test(place.pathname) && isMcpPath(place);
        await (isMcp
          ? this.#readMcp(place, false)
          : this.#readDocument(place, `a document linked from ${from.pathname}`, false));
      }),
    );
  }

  /** Reads the servers in server cards. Records the card itself of a server that can't be read. */
  async #readServers(servers: readonly DescribedServer[], from: URL): Promise<void> {
    for (const server of servers.slice(0, MAX_SERVERS)) {
      // A card without an address describes the server beside it, or the one at the conventional path.
      const beside =
        from.pathname.replace(/^.*\/\.well-known\/.*|\/server-card$|\/[^/]*\.json$/, "") || "/mcp";
      const { template = new URL(beside, from).href, problem } = server;
      const sample = sampleUrl(template);
      if (problem !== undefined) this.inquiry.skip(from.href, "an MCP server", problem);
      if (problem !== undefined || (sample && !this.#mayAsk(sample))) continue;
      const { url, variables, reasons } = fillVariables(
        template,
        server.variables,
        this.#variables,
        this.#address,
      );
      const isRead = url !== undefined && (await this.#readMcp(url, true));
      const live = isRead ? this.#found.find((one) => one.kind === "mcp" && one.url === url.href) : undefined;
      const isKnown = server.template !== undefined || live !== undefined;
      const notes = [...(isKnown ? reasons : [NO_ADDRESS]), ...server.notes];
      const finding = serverCardFinding(
        { ...server, variables, notes },
        isKnown ? url : undefined,
        from,
        live,
      );
      if (live) Object.assign(live, finding);
      else this.#add(finding, false);
    }
  }

  #mayAsk(place: URL): boolean {
    if (isSameSite(place, this.#address)) return true;
    const reason = "Skipped because it's on another site. If it's yours, enter its address above.";
    this.inquiry.skip(place.href, "a linked document", reason);
    return false;
  }

  /**
   * Reads an MCP server and records its findings. Returns true if there is one.
   *
   * @param isExpected True if the URL is declared to be an MCP server. A request for credentials then counts as one.
   */
  async #readMcp(url: URL, isExpected: boolean): Promise<boolean> {
    // A server that a card names is asked again: its request for credentials counts only now.
    const key = `mcp ${url.href} ${isExpected}`;
    const isFound = this.#found.some((finding) => finding.url === url.href);
    if (isFound || this.#asked.has(key)) return isFound;
    this.#asked.add(key);
    const { guardedFetch, signal } = this.inquiry;
    const finding = await this.inquiry.ask(url.href, MCP_SERVER, async () => {
      try {
        return createMcpFinding(await importMcp(url.href, { guardedFetch, signal }));
      } catch (error) {
        if (isPaymentRequired(error) && (isExpected || url === this.#address)) {
          const paid = await this.#readPaid(url, { isExpected });
          if (paid.kind === "mcp") return paid;
          this.#paid.push(paid);
          return undefined;
        }
        if (!(error instanceof ImportError) || !error.needsAccess) throw error;
        return await createGatedMcpFinding(url, error, {
          readJson: (place) => this.#readJson(place),
          isExpected,
        });
      }
    });
    if (finding) this.#add(finding, url === this.#address);
    return finding !== undefined;
  }

  /** Reads the price of a resource that responded with HTTP 402, to GET or to the request of an MCP client. */
  async #readPaid(url: URL, mcp?: { isExpected: boolean }): Promise<Finding> {
    const init = { ...(mcp && pingRequest), signal: this.inquiry.signal };
    const response = await this.inquiry.guardedFetch.fetch(url, init);
    const finding = await paymentFinding(response, url.href, mcp?.isExpected === true);
    if (finding) return finding;
    const message = `${url.href} requires payment (HTTP 402), but doesn't state its price as x402 defines. Add the price under Payments.`;
    throw new GuardedFetchError("http-status", url, message, { status: 402 });
  }

  /** Adds the price of a resource to the findings of the APIs on its origin, or its own finding if there are none. */
  #addPaid(paid: Finding): void {
    const { origin } = new URL(paid.url);
    const apis = this.#found.filter(({ kind, url }) => kind !== "metadata" && new URL(url).origin === origin);
    const traits = asStringArray(paid.metadata.traits).filter((trait) => trait.startsWith("pay:"));
    for (const api of apis) {
      api.metadata = mergeMetadata(api.metadata, { payments: paid.metadata.payments ?? [], traits });
      if (paid.notes) api.notes = [...(api.notes ?? []), ...paid.notes];
    }
    if (apis.length === 0) this.#add(paid, paid.url === this.#address.href);
  }

  /** Reads a JSON object within the current attempt. Returns `undefined` if the URL does not serve one. */
  async #readJson(url: URL): Promise<JsonObject | undefined> {
    try {
      const document: unknown = parseJsonStrict((await this.inquiry.document(url)).text);
      return isJsonObject(document) ? (document as JsonObject) : undefined;
    } catch {
      return undefined;
    }
  }

  #add(finding: Finding, isDirect: boolean): void {
    if (this.#found.some(({ kind, url }) => kind === finding.kind && url === finding.url)) return;
    this.#found.push(finding);
    if (isDirect) this.#direct.add(finding);
  }

  /** Reads the host's web page, or that of its site, for the publisher and the icon, which an API does not provide. */
  async #completeTexts(): Promise<void> {
    if (this.#website || this.#found.some(({ kind }) => kind === "metadata")) return;
    const site = getSite(this.#address.hostname);
    const places = [
      new URL("/", this.#address),
      ...(site === null || site === this.#address.hostname ? [] : [new URL(`https://${site}/`)]),
    ];
    for (const place of places) {
      const page = await this.inquiry.ask(place.href, "the site's page", async () => {
        const found = await detectDocument(await this.inquiry.document(place));
        return found?.type === "page" ? found : undefined;
      });
      if (page) return this.#readWebsite(page.page, page.url);
    }
  }

  async #readWebsite(page: Page, url: string): Promise<void> {
    this.#website = websiteFinding(page, url);
    if (listIcons(page).length > 0) return;
    const favicon = new URL("/favicon.ico", url);
    const isImage = await this.inquiry.ask(favicon.href, "the site's icon", async () => {
      const { guardedFetch, signal } = this.inquiry;
      const response = await guardedFetch.fetch(favicon, { signal });
      await response.body?.cancel();
      return response.ok && mediaTypeIn(response.headers).startsWith("image/") ? true : undefined;
    });
    if (isImage) this.#website = websiteFinding(page, url, favicon.href);
  }
}

const isMcpPath = ({ pathname }: URL): boolean => /\/(?:mcp|sse)\/?$/i.test(pathname);

/** MCP request without side effects. */
const pingRequest = {
  method: "POST",
  headers: { accept: "application/json, text/event-stream", "content-type": "application/json" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "ping" }),
};

const isPaymentRequired = (error: unknown): boolean =>
  (error instanceof GuardedFetchError || error instanceof ImportError) && error.status === 402;
