import { findAddressProblem } from "@app-registry/sdk/internal";
import type { GuardedFetch } from "../fetch/guardedFetch.ts";
import { isSameSite } from "../fetch/hosts.ts";
import { ImportError } from "../import/importError.ts";
import { importMcp } from "../import/importMcp.ts";
import { getSite } from "../site.ts";
import { type DetectedDocument, detectDocument, readInlineDocument } from "./detectDocument.ts";
import { DiscoverySession } from "./discoverySession.ts";
import {
  ADDRESS_LOOK,
  type Discovery,
  type Finding,
  type FindingKind,
  frameworkLocation,
  getOwnReason,
  isDocument,
  isMcpPath,
  MCP_SERVER,
  mcpPaths,
  wellKnownLocations,
} from "./finding.ts";
import { FindingList, type Place } from "./findingList.ts";
import { describeSilence, getCardBelow, NamedAddresses, namedFinding, suggestDids } from "./namedSearch.ts";
import { createMcpFinding } from "./read/createMcpFinding.ts";
import { readDocumentTexts } from "./read/documentTexts.ts";
import type { NamedAddress, VariableValues } from "./read/namedAddresses.ts";
import { MAX_OPENAPI_SIZE } from "./read/openApiFinding.ts";
import { addPrice, isPaymentRequired, readPaidResource } from "./read/paymentFinding.ts";
import { findFavicon, type Page, websiteFinding } from "./read/websiteFinding.ts";

/** Maximum number of links followed from one page or registration file. */
const MAX_LINKS = 3;

export type WebDiscoveryOptions = {
  guardedFetch: GuardedFetch;
  /** Kind of the service, if known. Its findings come first. For a website, only the address is read. */
  kind?: FindingKind | undefined;
  /** Values of the variables in the addresses that a server card lists. Default: those of the card. */
  variables?: VariableValues | undefined;
  /** Time limit for the whole discovery, in milliseconds. Default 20,000. */
  timeout?: number;
};

/** Finds services at a URL and at the conventional paths of its host. */
export async function discoverOnWeb(
  url: URL,
  did: string | undefined,
  options: WebDiscoveryOptions,
): Promise<Discovery> {
  const problem = findAddressProblem(url.href);
  if (problem?.code === "not-a-service")
    return { input: url.href, dids: [], findings: [], notes: [problem.message], looked: [] };
  const { guardedFetch, timeout = 20_000 } = options;
  const search = new WebDiscovery(url, new DiscoverySession(guardedFetch, timeout), options);
  await search.run();
  const { notes = [], ...result } = search.result();
  const all = [...(search.hasHit ? [] : describePort(did)), ...notes];
  const dids = suggestDids(search.home, did);
  return { input: url.href, dids, ...result, ...(all.length > 0 && { notes: all }) };
}

/** Explains a number in a DID's path that may be meant as a port. */
function describePort(did: string | undefined): string[] {
  const [, host, port] = /^did:web:([^:%]+):(\d{2,5})(?::|$)/.exec(did ?? "") ?? [];
  return port === undefined
    ? []
    : [`${port} is a part of the path in ${did}. A port is written %3A: ${host}%3A${port}.`];
}

class WebDiscovery {
  readonly inquiry: DiscoverySession;
  readonly #address: URL;
  /** True for a domain, which stands for the well-known paths of its host. */
  readonly #isDomain: boolean;
  readonly #kind: FindingKind | undefined;
  readonly #variables: VariableValues;
  readonly #found = new FindingList();
  /** Findings of resources that require payment. Each is part of an API, or the only finding of one. */
  readonly #paid: Finding[] = [];
  readonly #asked = new Set<string>();
  readonly #servers = new Map<string, Promise<boolean>>();
  /** True if the address is that of a page of Swagger UI, Redoc or Scalar. */
  #isViewer = false;
  readonly #named: NamedAddresses;
  readonly #notes: string[] = [];

  constructor(address: URL, inquiry: DiscoverySession, { kind, variables = {} }: WebDiscoveryOptions) {
    this.#address = address;
    this.#isDomain = address.pathname === "/" && address.search === "";
    this.inquiry = inquiry;
    this.#kind = kind;
    this.#variables = variables;
    this.#named = new NamedAddresses({
      ...{ address, variables, inquiry, found: this.#found },
      readDocument: (place, lookedFor) => this.#readDocument(place, lookedFor, true),
      readMcp: (place) => this.#readMcp(place, true),
    });
  }

  async run(): Promise<void> {
    const isMcp = this.#kind === "mcp" || isMcpPath(this.#address);
    const readMcp = async () =>
      isDocument.test(this.#address.pathname) || this.#readMcp(this.#address, isMcp);
    await Promise.all([this.#readDocument(this.#address, ADDRESS_LOOK), isMcp ? readMcp() : undefined]);
    // The host can't be reached, so no other path of it can be read.
    if (this.#found.all.length === 0 && this.inquiry.isUnreachable(this.#address)) return;
    // Hosts of agents log a request of another protocol as an error, so it comes after the documents.
    if (!this.#isDomain && !this.#found.hasService) await this.#readCardBelow();
    if (!this.#isDomain && !this.#found.hasService) await readMcp();
    if (!this.#isDomain) this.#found.place = "elsewhere";
    if (!this.#found.hasService && this.#kind !== "website") {
      await this.#guess();
      if (this.#isDomain && !this.#found.hasService) await readMcp();
    }
    for (const paid of this.#paid) {
      if (!addPrice(this.#found.all, paid)) this.#add(paid, paid.url === this.#address.href);
    }
    await this.#completeTexts();
  }

  /** Reads the agent card below the path of the address, where platforms of many agents serve it. */
  async #readCardBelow(): Promise<void> {
    if (!isDocument.test(this.#address.pathname))
      await this.#readDocument(getCardBelow(this.#address), "an agent card");
  }

  result(): Omit<Discovery, "input" | "dids"> {
    const notes = [...this.#describeMiss(), ...this.#describeUnread(), ...this.#notes];
    const { looked } = this.inquiry;
    return { ...this.#found.order(this.#kind), ...(notes.length > 0 && { notes }), looked };
  }

  /** The address, or that of a server on another site if the address is that of a document that names it. */
  get home(): URL {
    const [first] = this.#found.all;
    return first?.did !== undefined && URL.canParse(first.url) ? new URL(first.url) : this.#address;
  }

  /** Names the documents at other places of the site that were found and not understood. */
  #describeUnread(): string[] {
    return this.inquiry.unread
      .flatMap(({ place, reason }) => {
        const { pathname } = new URL(place);
        const isOther = place !== this.#address.href && pathname !== "/";
        return isOther ? `${pathname} is there and can't be read: ${reason}` : [];
      })
      .slice(0, 3);
  }

  get hasHit(): boolean {
    return this.#found.hasHit;
  }

  /** Describes an address that leads to no service. */
  #describeMiss(): string[] {
    if (this.#found.hasHit || this.inquiry.isUnreachable(this.#address)) return [];
    const { href } = this.#address;
    const miss = this.#isViewer
      ? `${href} shows the documentation of an API. Enter the address of its OpenAPI document.`
      : (getOwnReason({ input: href, looked: this.inquiry.looked }) ?? `${href} describes no service.`);
    return [
      this.#found.all.length === 0 ? miss : `${miss} The results are from other addresses of the site.`,
    ];
  }

  async #guess(): Promise<void> {
    await Promise.all(wellKnownLocations.map((guess) => this.#tryPaths(guess)));
    await Promise.all(mcpPaths.map((path) => this.#readMcp(new URL(path, this.#address), false)));
    if (!this.#found.hasService) await this.#tryPaths(frameworkLocation);
  }

  async #tryPaths({ lookedFor, paths }: { lookedFor: string; paths: readonly string[] }): Promise<void> {
    for (const path of paths) {
      if (await this.#readDocument(new URL(path, this.#address), lookedFor)) return;
    }
  }

  /** Reads a document and records its findings. Returns true if it is recognized and not a web page. */
  async #readDocument(url: URL, lookedFor: string, isLinked = false): Promise<boolean> {
    if (this.#asked.has(url.href)) return false;
    this.#asked.add(url.href);
    const isAddress = url.href === this.#address.href;
    const recognised = await this.inquiry.ask(url.href, lookedFor, async () => {
      const found = await this.inquiry.document(url, MAX_OPENAPI_SIZE).then(
        (document) => detectDocument({ ...document, variables: this.#variables }),
        async (error: unknown) => {
          if (!isPaymentRequired(error) || (!isAddress && !isLinked)) throw error;
          this.#paid.push(await readPaidResource(url, this.inquiry));
          return { type: "paid" } as const;
        },
      );
      // Some hosts return their page for every path, so a page says nothing about the path.
      return found?.type === "page" && !isAddress && found.page.documents.length === 0 ? undefined : found;
    });
    if (!recognised) return false;
    if (recognised.type === "paid") return true;
    if (recognised.type !== "page") return this.#use(recognised, url, isLinked);
    const { page, url: pageUrl } = recognised;
    const rels = ["ai-catalog", "api-catalog", "service-desc"];
    const links = page.links.flatMap(({ rel, href }) =>
      rels.some((name) => rel.includes(name)) ? href : [],
    );
    await this.#follow([...links, ...page.documents], url);
    // A page that shows an API's document is no website of its own.
    if (page.documents.length === 0)
      await this.#readWebsite(page, pageUrl, this.#isDomain ? "page" : "address");
    else if (isAddress) this.#isViewer = true;
    return !isAddress && this.#found.hasService;
  }

  /** Records the findings of a document. The links of a document that is itself linked are not followed. */
  async #use(
    document: Exclude<DetectedDocument, { type: "page" }>,
    url: URL,
    isLinked: boolean,
  ): Promise<true> {
    const entry = this.#found.getEntry(url.href);
    const about = { from: url, isLinked, entry };
    if (document.type === "servers") {
      for (const { texts, remotes } of document.servers)
        await this.#named.use(remotes, { ...about, texts, isServerJson: true });
    } else if (document.type === "addresses") {
      for (const { document: inner, identifier } of document.inside) {
        const finding = readInlineDocument(inner, url.href, identifier);
        if (finding) this.#add(finding, false);
      }
      const texts = readDocumentTexts(document.document);
      const { addresses, more } = document;
      this.#notes.push(...(await this.#named.use(addresses, { ...about, texts, more })));
    } else {
      // The document's URL differs from the requested one after a redirect.
      this.#found.identify(document.finding.url, entry);
      this.#add(document.finding, !isLinked && url.href === this.#address.href);
      if (!isLinked) await this.#follow(document.links, url);
    }
    return true;
  }

  /** Reads up to `MAX_LINKS` linked documents that are on the same site. */
  async #follow(links: readonly string[], from: URL): Promise<void> {
    const places = links
      .flatMap((link) => (URL.canParse(link, from.href) ? [new URL(link, from)] : []))
      .filter((place) => isSameSite(place, this.#address));
    await Promise.all(
      places.slice(0, MAX_LINKS).map(async (place) => {
        const isMcp = !isDocument.test(place.pathname) && isMcpPath(place);
        await (isMcp
          ? this.#readMcp(place, false)
          : this.#readDocument(place, `a document linked from ${from.pathname}`, true));
      }),
    );
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
    const importFrom = async (place: URL) =>
      createMcpFinding(await importMcp(place.href, { guardedFetch, signal }));
    let isGated = false;
    const finding = await this.inquiry.ask(url.href, MCP_SERVER, async () => {
      try {
        return await importFrom(url);
      } catch (error) {
        isGated =
          error instanceof ImportError &&
          error.needsAccess &&
          ((isExpected && url === this.#address) || /resource_metadata/.test(error.challenge));
        if (isPaymentRequired(error) && (isExpected || url === this.#address)) {
          const paid = await readPaidResource(url, this.inquiry, { isExpected });
          if (paid.kind === "mcp") return paid;
          this.#paid.push(paid);
          return undefined;
        }
        // Clients turn a POST that is redirected with 301 or 302 into a GET, so the server has to be asked itself.
        const { movedTo } = error instanceof ImportError ? error : {};
        if (movedTo && movedTo.href !== url.href && isSameSite(movedTo, url)) return importFrom(movedTo);
        throw error;
      }
    });
    if (finding) this.#add(finding, url === this.#address);
    else if (isGated) this.#addGated(url);
    return finding !== undefined;
  }

  /** Records the address of a server that requires credentials, for a person to choose. */
  #addGated(url: URL): void {
    const address: NamedAddress = { template: url.href, variables: [], kind: "mcp", field: "" };
    const finding = namedFinding(address, { url, variables: [] });
    const reason = describeSilence(this.inquiry.looked, [url]);
    if (finding) this.#add({ ...finding, notes: [reason] }, url === this.#address);
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
        return found?.type === "page" && found.page.documents.length === 0 ? found : undefined;
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
