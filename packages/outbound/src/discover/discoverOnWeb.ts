import { isJsonObject, type JsonObject, parseJsonStrict } from "@app-registry/sdk";
import { mediaTypeIn } from "../fetch/mediaType.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { getSite } from "../site.ts";
import { getFindingKey } from "./createProposal.ts";
import { describeRepository } from "./describeRepository.ts";
import { type DetectedDocument, detectDocument, detectInlineDocument } from "./detectDocument.ts";
import { DiscoverySession } from "./discoverySession.ts";
import type { Discovery, DiscoveryAttempt, Finding, FindingKind } from "./finding.ts";
import { isSameSite } from "./isSameSite.ts";
import { type Entry, orderFindings, type Place } from "./orderFindings.ts";
import type { Catalog, CatalogEntry } from "./read/catalog.ts";
import { createGatedMcpFinding } from "./read/createGatedMcpFinding.ts";
import { createMcpFinding } from "./read/createMcpFinding.ts";
import type { Page } from "./read/readPage.ts";
import { type Remote, serverCardFinding } from "./read/serverCard.ts";
import { listIcons, websiteFinding } from "./read/websiteFinding.ts";
import { suggestDids } from "./suggestDids.ts";
import type { DiscoverOptions } from "./target.ts";

/** Maximum number of links followed from one page or registration file. */
const MAX_LINKS = 3;

/** Maximum number of entries to read in all catalogs, and their maximum depth, which the AI Catalog draft recommends. */
const MAX_CATALOG_ENTRIES = 100;
const MAX_CATALOG_DEPTH = 4;

/** Content for which the address itself is requested. */
const ADDRESS_CONTENT = "a document or a page";

/** Paths of documents, at which no MCP server responds. */
const isDocument = /\/\.well-known\/|\.(?:json|ya?ml|html?|txt|xml)$/i;

/**
 * Conventional paths for each kind of service. The paths of one list are requested in order until one responds.
 * Catalogs list services of any kind.
 */
const wellKnownLocations: { kind?: FindingKind; lookedFor: string; paths: string[] }[] = [
  {
    kind: "mcp",
    lookedFor: "an MCP server card",
    paths: ["/.well-known/mcp/server-card.json", "/.well-known/mcp.json"],
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
  { lookedFor: "an AI catalog", paths: ["/.well-known/ai-catalog.json"] },
  { lookedFor: "an API catalog", paths: ["/.well-known/api-catalog"] },
];

/** Conventional paths of MCP servers. */
const mcpPaths = ["/mcp", "/sse"];

/** Finds services at a URL and at the conventional paths of its host. */
export async function discoverOnWeb(
  url: URL,
  did: string | undefined,
  { guardedFetch, kind, timeout = 20_000 }: DiscoverOptions,
): Promise<Discovery> {
  const repository = describeRepository(url);
  if (repository !== undefined) {
    return { input: url.href, dids: [], findings: [], notes: [repository], looked: [] };
  }
  const search = new WebDiscovery(url, new DiscoverySession(guardedFetch, timeout), kind);
  await search.run();
  return { input: url.href, dids: suggestDids(search.home, did), ...search.result() };
}

class WebDiscovery {
  readonly inquiry: DiscoverySession;
  readonly #address: URL;
  /** True for a domain, which stands for the well-known paths of its host. */
  readonly #isDomain: boolean;
  readonly #kind: FindingKind | undefined;
  readonly #found: Finding[] = [];
  readonly #places = new Map<Finding, Place>();
  /** Place of findings that are read now, unless they are at the address itself. */
  #place: Place = "listed";
  /** True if the address is that of a server card, which may be on another site than its servers. */
  #isCard = false;
  readonly #asked = new Set<string>();
  readonly #servers = new Map<string, Promise<boolean>>();
  /** Catalog entries by the URL or the key of their finding. */
  readonly #entries = new Map<string, Entry>();
  #entryCount = 0;
  readonly #notes: string[] = [];

  constructor(address: URL, inquiry: DiscoverySession, kind: FindingKind | undefined) {
    this.#address = address;
    this.#isDomain = address.pathname === "/" && address.search === "";
    this.inquiry = inquiry;
    this.#kind = kind;
  }

  async run(): Promise<void> {
    const isExpected = this.#kind === "mcp" || isMcpPath(this.#address);
    const readMcp = async () =>
      isDocument.test(this.#address.pathname) || this.#readMcp(this.#address, isExpected);
    const mayBeMcp = this.#kind === undefined || this.#kind === "mcp";
    await Promise.all([this.#readDocument(this.#address, ADDRESS_CONTENT), mayBeMcp ? readMcp() : undefined]);
    if (!mayBeMcp && !this.#isDomain && !this.#hasService) await readMcp();
    // The host can't be reached, so no other path of it can be read.
    if (this.#found.length === 0 && this.inquiry.hasNoHost) return;
    if (!this.#isDomain) this.#place = "elsewhere";
    if (!this.#hasService && this.#kind !== "website") await this.#guess();
    await this.#completeTexts();
  }

  result(): Omit<Discovery, "input" | "dids"> {
    const found = this.#found.map((finding) => ({
      finding,
      place: this.#places.get(finding) ?? this.#place,
      entry: this.#entries.get(getFindingKey(finding)) ?? this.#entries.get(finding.url),
    }));
    const notes = [...this.#describeMiss(), ...this.#notes];
    return {
      ...orderFindings(found, this.#kind),
      ...(notes.length > 0 && { notes }),
      looked: this.inquiry.looked,
    };
  }

  get home(): URL {
    return this.#isCard && this.#found[0] ? new URL(this.#found[0].url) : this.#address;
  }

  get #hasService(): boolean {
    return this.#found.some(({ kind }) => kind !== "website");
  }

  /** Describes an address that leads to no service. */
  #describeMiss(): string[] {
    const isHit = [...this.#places.values()].some((place) => place !== "elsewhere");
    if (isHit || this.inquiry.hasNoHost) return [];
    const { href } = this.#address;
    const isOwn = (one: DiscoveryAttempt) => one.place === href && one.lookedFor === ADDRESS_CONTENT;
    const { status, reason = `${href} describes no service.` } = this.inquiry.looked.find(isOwn) ?? {};
    const miss = status === undefined ? reason : `${href} answers ${status}.`;
    return [this.#found.length === 0 ? miss : `${miss} The results are from other addresses of the site.`];
  }

  async #guess(): Promise<void> {
    const picked = this.#kind;
    if (picked !== undefined) await this.#guessKinds((kind) => kind === undefined || kind === picked);
    if (!this.#found.some(({ kind }) => kind === picked)) {
      await this.#guessKinds((kind) => kind === undefined || kind !== picked);
    }
  }

  async #guessKinds(isWanted: (kind: FindingKind | undefined) => boolean): Promise<void> {
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

  /**
   * Reads a document and records its findings. Returns true if it is recognized and not a web page.
   *
   * @param position Position in the documents that link to it, with four digits per document.
   */
  async #readDocument(url: URL, lookedFor: string, position = ""): Promise<boolean> {
    if (this.#asked.has(url.href)) return false;
    this.#asked.add(url.href);
    const isAddress = url.href === this.#address.href;
    const recognised = await this.inquiry.ask(url.href, lookedFor, async () => {
      const found = await detectDocument(await this.inquiry.document(url));
      // Some hosts return their page for every path, so a page says nothing about the path.
      return found?.type === "page" && !isAddress ? undefined : found;
    });
    if (!recognised) return false;
    if (recognised.type !== "page") return this.#use(recognised, url, position);
    const { page, url: pageUrl } = recognised;
    const isApi = this.#kind === undefined || this.#kind === "openapi";
    const rels = ["ai-catalog", "api-catalog", ...(isApi ? ["service-desc"] : [])];
    const links = page.links.filter(({ rel }) => rels.some((name) => rel.includes(name)));
    await Promise.all([
      this.#readWebsite(page, pageUrl, this.#isDomain ? "page" : "address"),
      this.#follow(
        links.map(({ href }) => href),
        url,
      ),
    ]);
    return false;
  }

  /** Records the findings of a document. Returns false for a page, and for a catalog that is nested too deeply. */
  async #use(document: DetectedDocument, url: URL, position: string): Promise<boolean> {
    const entry = this.#entries.get(url.href);
    if (document.type === "page") return false;
    if (document.type === "catalog") {
      if (position.length >= 4 * MAX_CATALOG_DEPTH) return false;
      await this.#readCatalog(document.catalog, url, position);
    } else if (document.type === "server card") {
      this.#isCard ||= position === "" && url.href === this.#address.href;
      for (const remote of document.remotes) this.#identify(remote.url, entry);
      await this.#readRemotes(document.card, document.remotes, url);
    } else {
      // The document's URL differs from the requested one after a redirect.
      this.#identify(document.finding.url, entry);
      this.#add(document.finding, position === "" && url.href === this.#address.href);
      if (position === "") await this.#follow(document.links, url);
    }
    return true;
  }

  /** Notes the catalog entry to which a finding belongs, unless another entry has listed it before. */
  #identify(urlOrKey: string, entry: Entry | undefined): void {
    if (entry && !this.#entries.has(urlOrKey)) this.#entries.set(urlOrKey, entry);
  }

  /** Reads the entries of a catalog, and notes how many were left out. */
  async #readCatalog({ entries, total }: Catalog, from: URL, position: string): Promise<void> {
    const read = await Promise.all(
      entries.map((entry, index) => this.#readEntry(entry, from, `${position}${1_000 + index}`)),
    );
    const rest = total - read.filter(Boolean).length;
    if (rest === 0) return;
    const reasons =
      "they are of other types or on other sites, can't be read, or exceed the limits of one search";
    this.#notes.push(`Left out ${rest} of ${total} entries of the catalog at ${from.href}: ${reasons}.`);
  }

  async #readEntry({ identifier, urls, data }: CatalogEntry, from: URL, position: string): Promise<boolean> {
    if (this.#entryCount++ >= MAX_CATALOG_ENTRIES) return false;
    const entry = { identifier, position };
    const document = data && detectInlineDocument(data, from.href, identifier);
    if (document?.type === "finding") this.#identify(getFindingKey(document.finding), entry);
    if (document?.type === "server card")
      for (const remote of document.remotes) this.#identify(remote.url, entry);
    if (document) return this.#use(document, from, position);
    for (const url of urls) {
      const place = URL.canParse(url, from.href) ? new URL(url, from) : undefined;
      if (!place || !this.#mayAsk(place)) continue;
      this.#identify(place.href, entry);
      if (this.#asked.has(place.href)) return true;
      if (this.inquiry.isFull) return false;
      const isRead =
        (await this.#readDocument(place, `an entry of ${from.pathname}`, position)) ||
        (isMcpPath(place) && (await this.#readMcp(place, true)));
      if (isRead) return true;
    }
    return false;
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
          : this.#readDocument(place, `a document linked from ${from.pathname}`, "0000"));
      }),
    );
  }

  async #readRemotes(card: JsonObject, remotes: readonly Remote[], from: URL): Promise<void> {
    for (const remote of remotes.slice(0, MAX_LINKS)) {
      const place = new URL(remote.url);
      const isRead = this.#mayAsk(place) && (await this.#readMcp(place, true));
      if (!isRead && isSameSite(place, from)) this.#add(serverCardFinding(card, remote), false);
    }
  }

  #mayAsk(place: URL): boolean {
    if (this.#isCard || isSameSite(place, this.#address)) return true;
    const reason = "Skipped because it's on another site. If it's yours, enter its address above.";
    this.inquiry.skip(place.href, "a linked document", reason);
    return false;
  }

  /**
   * Reads an MCP server and records its findings. Returns true if there is one.
   *
   * @param isExpected True if the URL is declared to be an MCP server. A request for credentials then counts as one.
   */
  #readMcp(url: URL, isExpected: boolean): Promise<boolean> {
    const reading = this.#servers.get(url.href) ?? this.#readServer(url, isExpected);
    this.#servers.set(url.href, reading);
    return reading;
  }

  async #readServer(url: URL, isExpected: boolean): Promise<boolean> {
    const { guardedFetch, signal } = this.inquiry;
    const finding = await this.inquiry.ask(url.href, "an MCP server", async () => {
      try {
        return createMcpFinding(await importMcp(url.href, { guardedFetch, signal }));
      } catch (error) {
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
    const key = getFindingKey(finding);
    if (this.#found.some((other) => getFindingKey(other) === key)) return;
    this.#found.push(finding);
    this.#places.set(finding, isDirect ? "address" : this.#place);
  }

  /** Reads the host's web page, or that of its site, for suggestions: an API provides no publisher and icon. */
  async #completeTexts(): Promise<void> {
    if (this.#found.some(({ kind }) => kind === "website" || kind === "metadata")) return;
    const site = getSite(this.home.hostname);
    const places = [
      new URL("/", this.home),
      ...(site === null || site === this.home.hostname ? [] : [new URL(`https://${site}/`)]),
    ];
    for (const place of places) {
      const page = await this.inquiry.ask(place.href, "the site's page", async () => {
        const found = await detectDocument(await this.inquiry.document(place));
        return found?.type === "page" ? found : undefined;
      });
      if (!page) continue;
      const isOwn = this.#isDomain && place.host === this.#address.host;
      return this.#readWebsite(page.page, page.url, isOwn ? "page" : "elsewhere");
    }
  }

  async #readWebsite(page: Page, url: string, place: Place): Promise<void> {
    const favicon = new URL("/favicon.ico", url);
    const isIcon =
      listIcons(page).length === 0 &&
      (await this.inquiry.ask(favicon.href, "the site's icon", async () => {
        const { guardedFetch, signal } = this.inquiry;
        const response = await guardedFetch.fetch(favicon, { signal });
        await response.body?.cancel();
        return response.ok && mediaTypeIn(response.headers).startsWith("image/") ? true : undefined;
      }));
    const finding = websiteFinding(page, url, isIcon ? favicon.href : undefined);
    this.#found.push(finding);
    this.#places.set(finding, place);
  }
}

const isMcpPath = ({ pathname }: URL): boolean => /\/(?:mcp|sse)\/?$/i.test(pathname);
