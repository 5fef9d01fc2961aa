import { printable } from "../fetch/printable.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { getSite } from "../site.ts";
import { getFindingKey } from "./createProposal.ts";
import { describeRepository } from "./describeRepository.ts";
import { type DetectedDocument, detectDocument, detectInlineDocument } from "./detectDocument.ts";
import { DiscoverySession } from "./discoverySession.ts";
import type { Discovery, Finding, FindingKind } from "./finding.ts";
import { type Entry, FindingList, type Place } from "./findingList.ts";
import { isSameSite } from "./isSameSite.ts";
import { ADDRESS_LOOK, getOwnReason } from "./labels.ts";
import { addPrice, isPaymentRequired, readPaidResource } from "./paidResource.ts";
import {
  type Catalog,
  type CatalogEntry,
  describeCatalog,
  type LeftOut,
  ON_OTHER_SITE,
  OVER_LIMIT,
} from "./read/catalog.ts";
import { createGatedMcpFinding } from "./read/createGatedMcpFinding.ts";
import { createMcpFinding } from "./read/createMcpFinding.ts";
import { compact } from "./read/json.ts";
import { MAX_OPENAPI_SIZE } from "./read/openApiFinding.ts";
import { describeOtherSite, ONLY_CONTROLLER } from "./read/privateAddresses.ts";
import type { Page } from "./read/readPage.ts";
import { type DescribedServer, listCardLinks, locateServer, serverCardFinding } from "./read/serverCard.ts";
import { fillVariables, type VariableValues } from "./read/urlVariables.ts";
import { findFavicon, websiteFinding } from "./read/websiteFinding.ts";
import { suggestDids } from "./suggestDids.ts";
import type { DiscoverOptions } from "./target.ts";
import { isDocument, isMcpPath, mcpPaths, wellKnownLocations } from "./wellKnownLocations.ts";

/** Maximum number of links followed from one page or registration file. */
const MAX_LINKS = 3;

/** Maximum number of entries to read in all catalogs, and their maximum depth, which the AI Catalog draft recommends. */
const MAX_CATALOG_ENTRIES = 100;
const MAX_CATALOG_DEPTH = 4;

/** Maximum number of servers read from the server cards in one document. */
const MAX_SERVERS = 6;

/** Position of a document that a page, a document or a server links to. Its own links are not followed. */
const LINKED = "0000";

const MCP_SERVER = "an MCP server";
const NO_ADDRESS = "The server card doesn't name the server's address. Enter the endpoint URL yourself.";

const describeSilence = (url: string): string =>
  `No MCP server responded at ${printable(url)}, so the values are only from its card.`;

/** Finds services at a URL and at the conventional paths of its host. */
export async function discoverOnWeb(
  url: URL,
  did: string | undefined,
  options: DiscoverOptions,
): Promise<Discovery> {
  const repository = describeRepository(url);
  if (repository !== undefined) {
    return { input: url.href, dids: [], findings: [], notes: [repository], looked: [] };
  }
  const { guardedFetch, timeout = 20_000 } = options;
  const search = new WebDiscovery(url, new DiscoverySession(guardedFetch, timeout), options);
  await search.run();
  return { input: url.href, dids: suggestDids(search.home, did), ...search.result() };
}

class WebDiscovery {
  readonly inquiry: DiscoverySession;
  readonly #address: URL;
  /** True for a domain, which stands for the well-known paths of its host. */
  readonly #isDomain: boolean;
  readonly #kind: FindingKind | undefined;
  readonly #variables: VariableValues;
  readonly #found = new FindingList();
  /** True if the address is that of a server card, which may be on another site than its servers. */
  #isCard = false;
  /** Findings of resources that require payment. Each is part of an API, or the only finding of one. */
  readonly #paid: Finding[] = [];
  readonly #asked = new Set<string>();
  readonly #servers = new Map<string, Promise<boolean>>();
  #entryCount = 0;
  readonly #notes: string[] = [];

  constructor(address: URL, inquiry: DiscoverySession, { kind, variables = {} }: DiscoverOptions) {
    this.#address = address;
    this.#isDomain = address.pathname === "/" && address.search === "";
    this.inquiry = inquiry;
    this.#kind = kind;
    this.#variables = variables;
  }

  async run(): Promise<void> {
    const isExpected = this.#kind === "mcp" || isMcpPath(this.#address);
    const readMcp = async () =>
      isDocument.test(this.#address.pathname) || this.#readMcp(this.#address, isExpected);
    const mayBeMcp = this.#kind === undefined || this.#kind === "mcp";
    await Promise.all([this.#readDocument(this.#address, ADDRESS_LOOK), mayBeMcp ? readMcp() : undefined]);
    if (!mayBeMcp && !this.#isDomain && !this.#found.hasService) await readMcp();
    // The host can't be reached, so no other path of it can be read.
    if (this.#found.all.length === 0 && this.inquiry.hasNoHost) return;
    if (!this.#isDomain) this.#found.place = "elsewhere";
    if (!this.#found.hasService && this.#kind !== "website") await this.#guess();
    await this.#readCardBeside();
    for (const paid of this.#paid) {
      if (!addPrice(this.#found.all, paid)) this.#add(paid, paid.url === this.#address.href);
    }
    await this.#completeTexts();
  }

  /** Reads the card of an MCP server at the location that the draft of server cards reserves for it. */
  async #readCardBeside(): Promise<void> {
    const server = this.#found.all.find(({ kind, variables }) => kind === "mcp" && !variables);
    if (!server || isDocument.test(new URL(server.url).pathname)) return;
    const place = new URL(server.url);
    place.pathname = place.pathname.replace(/\/?$/, "/server-card");
    await this.#readDocument(place, "an MCP server card", LINKED);
  }

  result(): Omit<Discovery, "input" | "dids"> {
    const notes = [...this.#describeMiss(), ...this.#notes];
    // The reason of an MCP server comes first, because its address answers a GET with some HTTP error.
    const isOwn = ({ place, lookedFor, outcome }: Discovery["looked"][number]) =>
      place === this.#address.href && lookedFor === MCP_SERVER && outcome === "failed";
    return {
      ...this.#found.order(this.#kind),
      ...(notes.length > 0 && { notes }),
      looked: this.inquiry.looked.toSorted((one, other) => Number(isOwn(other)) - Number(isOwn(one))),
    };
  }

  get home(): URL {
    const [first] = this.#found.all;
    return this.#isCard && first && URL.canParse(first.url) ? new URL(first.url) : this.#address;
  }

  /** Describes an address that leads to no service. */
  #describeMiss(): string[] {
    if (this.#found.hasHit || this.inquiry.hasNoHost) return [];
    const { href } = this.#address;
    const miss =
      getOwnReason({ input: href, looked: this.inquiry.looked }) ?? `${href} describes no service.`;
    return [
      this.#found.all.length === 0 ? miss : `${miss} The results are from other addresses of the site.`,
    ];
  }

  async #guess(): Promise<void> {
    const picked = this.#kind;
    if (picked !== undefined) await this.#guessKinds((kind) => kind === undefined || kind === picked);
    if (!this.#found.all.some(({ kind }) => kind === picked)) {
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
      const found = await this.inquiry.document(url, MAX_OPENAPI_SIZE).then(
        (document) => detectDocument({ ...document, variables: this.#variables }),
        async (error: unknown) => {
          if (!isPaymentRequired(error) || (!isAddress && position !== LINKED)) throw error;
          this.#paid.push(await readPaidResource(url, this.inquiry));
          return { type: "paid" } as const;
        },
      );
      // Some hosts return their page for every path, so a page says nothing about the path.
      return found?.type === "page" && !isAddress ? undefined : found;
    });
    if (!recognised) return false;
    if (recognised.type === "paid") return true;
    if (recognised.type !== "page") return this.#use(recognised, url, position);
    const { page, url: pageUrl } = recognised;
    const isApi = this.#kind === undefined || this.#kind === "openapi";
    const rels = ["ai-catalog", "api-catalog", ...(isApi ? ["service-desc"] : [])];
    const links = page.links.flatMap(({ rel, href }) =>
      rels.some((name) => rel.includes(name)) ? href : [],
    );
    await Promise.all([
      this.#readWebsite(page, pageUrl, this.#isDomain ? "page" : "address"),
      this.#follow(links, url),
    ]);
    return false;
  }

  /** Records the findings of a document. Returns false for a page, and for a catalog that is nested too deeply. */
  async #use(
    document: DetectedDocument,
    url: URL,
    position: string,
    entry = this.#found.getEntry(url.href),
  ): Promise<boolean> {
    if (document.type === "page") return false;
    if (document.type === "catalog") {
      if (position.length >= 4 * MAX_CATALOG_DEPTH) return false;
      await this.#readCatalog(document.catalog, url, position);
    } else if (document.type === "server cards") {
      this.#isCard ||= position === "" && url.href === this.#address.href;
      if (position === "") await this.#follow(listCardLinks(document.servers, url), url);
      await this.#readServers(document.servers, url, entry);
    } else {
      // The document's URL differs from the requested one after a redirect.
      this.#found.identify(document.finding.url, entry);
      this.#add(document.finding, position === "" && url.href === this.#address.href);
      if (position === "") await this.#follow(document.links, url);
    }
    return true;
  }

  /** Reads the entries of a catalog, and notes which were left out. */
  async #readCatalog(catalog: Catalog, from: URL, position: string): Promise<void> {
    const left = await Promise.all(
      catalog.entries.map((entry, index) => this.#readEntry(entry, from, `${position}${1_000 + index}`)),
    );
    this.#notes.push(...describeCatalog(catalog, compact(left), from.href));
  }

  async #readEntry(
    { identifier, urls, data, reason }: CatalogEntry,
    from: URL,
    position: string,
  ): Promise<LeftOut | undefined> {
    if (reason !== undefined) return { reason };
    if (this.#entryCount++ >= MAX_CATALOG_ENTRIES) return { reason: OVER_LIMIT };
    const entry = { identifier, position };
    const document = data && detectInlineDocument(data, from.href, identifier);
    if (document?.type === "finding") this.#found.identify(getFindingKey(document.finding), entry);
    if (document)
      return (await this.#use(document, from, position, entry)) ? undefined : { reason: OVER_LIMIT };
    let left: LeftOut = { reason: data ? "unreadable" : "without an address" };
    for (const url of urls) {
      const place = URL.canParse(url, from.href) ? new URL(url, from) : undefined;
      if (!place) continue;
      left = { reason: ON_OTHER_SITE, url: place.href };
      if (!this.#mayAsk(place)) continue;
      this.#found.identify(place.href, entry);
      if (this.#asked.has(place.href)) return undefined;
      if (this.inquiry.isFull) return { reason: OVER_LIMIT };
      const isRead =
        (await this.#readDocument(place, `an entry of ${from.pathname}`, position)) ||
        (isMcpPath(place) && (await this.#readMcp(place, true)));
      if (isRead) return undefined;
      const { status } = this.inquiry.looked.find((look) => look.place === place.href) ?? {};
      left = { reason: status === undefined ? "unreadable" : `answering ${status}`, url: place.href };
    }
    return left;
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
          : this.#readDocument(place, `a document linked from ${from.pathname}`, LINKED));
      }),
    );
  }

  /**
   * Reads the servers in server cards. Records the card itself of a server that can't be read. Reads servers on another
   * site only if the address is that of a card, and none is on its site.
   */
  async #readServers(
    servers: readonly DescribedServer[],
    from: URL,
    entry: Entry | undefined,
  ): Promise<void> {
    const located = servers
      .slice(0, MAX_SERVERS)
      .map((server) => ({ server, ...locateServer(server, from, this.#address) }));
    const isFollowed = this.#isCard && !located.some(({ site }) => site === this.#address);
    for (const [index, { server, template, site }] of located.entries()) {
      const filled = fillVariables(template, server.variables, this.#variables, site);
      const at = filled.url?.href ?? template;
      const isElsewhere = site !== this.#address;
      const elsewhere = describeOtherSite("The server", at);
      const problem =
        server.problem ??
        (isElsewhere && !isFollowed ? `${elsewhere} If it's yours, enter that address.` : undefined);
      if (problem !== undefined) {
        this.inquiry.skip(from.href, MCP_SERVER, problem);
        continue;
      }
      const position = `${entry?.position ?? ""}${1_000 + index}`;
      this.#found.identify(at, { identifier: entry?.identifier, position });
      const isRead = filled.url !== undefined && (await this.#readMcp(filled.url, true));
      const live = isRead ? this.#found.getServer(at) : undefined;
      const isKnown = server.template !== undefined || live !== undefined;
      const notes = [
        ...(isKnown ? filled.reasons : [NO_ADDRESS]),
        ...(isKnown && filled.url && !live ? [describeSilence(at)] : []),
        ...server.notes,
        ...(isElsewhere ? [`${elsewhere} ${ONLY_CONTROLLER}`] : []),
      ];
      const described = { ...server, ...filled, ...(!isKnown && { url: undefined }), notes };
      const [own] = isElsewhere && filled.url ? suggestDids(filled.url) : [];
      const finding = { ...serverCardFinding(described, from, live), ...(own && { did: own.did }) };
      if (live) Object.assign(live, finding);
      else this.#found.add(finding);
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
    // A server that a card names is asked again: its request for credentials counts only now.
    const key = `${url.href} ${isExpected}`;
    const reading = this.#servers.get(key) ?? this.#readServer(url, isExpected);
    this.#servers.set(key, reading);
    return reading;
  }

  async #readServer(url: URL, isExpected: boolean): Promise<boolean> {
    if (this.#found.getServer(url.href)) return true;
    const { guardedFetch, signal } = this.inquiry;
    const finding = await this.inquiry.ask(url.href, MCP_SERVER, async () => {
      try {
        return createMcpFinding(await importMcp(url.href, { guardedFetch, signal }));
      } catch (error) {
        if (isPaymentRequired(error) && (isExpected || url === this.#address)) {
          const paid = await readPaidResource(url, this.inquiry, { isExpected });
          if (paid.kind === "mcp") return paid;
          this.#paid.push(paid);
          return undefined;
        }
        if (!(error instanceof ImportError) || !error.needsAccess) throw error;
        return await createGatedMcpFinding(url, error, {
          readJson: (place) => this.inquiry.readJson(place),
          isExpected,
        });
      }
    });
    if (finding) this.#add(finding, url === this.#address);
    return finding !== undefined;
  }

  #add(finding: Finding, isDirect: boolean): void {
    this.#found.add(finding, isDirect ? "address" : undefined);
  }

  /** Reads the host's web page, or that of its site, for suggestions: an API provides no publisher and icon. */
  async #completeTexts(): Promise<void> {
    if (this.#found.all.some(({ kind }) => kind === "website" || kind === "metadata")) return;
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
    this.#found.add(websiteFinding(page, url, await findFavicon(page, url, this.inquiry)), place);
  }
}
