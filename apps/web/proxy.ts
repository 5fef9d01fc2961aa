import { metrics } from "@app-registry/server/metrics";
import { type NextRequest, NextResponse } from "next/server";
import { replacePublisherPath } from "./features/explore/listQuery.ts";
import { formatRateLimitMessage, retryAfterHeader } from "./features/rate-limit/limited.tsx";
import {
  formatPrecheck,
  precheckHeader,
  precheckService,
  rawPathHeader,
} from "./features/service/servicePath.ts";
import { ApiProblem } from "./lib/server/http/problem.ts";
import { type Quota, rateLimitHeaders, rateLimits } from "./lib/server/http/rateLimits.ts";
import { readBody, wantsJson } from "./lib/server/http/request.ts";
import {
  apiSecurityHeaders,
  pageSecurityHeaders,
  pageSecurityPolicy,
  readRpcOrigin,
} from "./lib/server/http/securityHeaders.ts";
import { environment } from "./lib/server/registry.ts";

/**
 * Handles every page request: sets the security headers with a fresh script nonce, counts pages that search or verify
 * against the client's limit, and serves a notice to clients over it. Pages of services also get the undecoded path,
 * because Next decodes page parameters, which would turn `did:web:localhost%3A3000` into another DID (host localhost,
 * path 3000), and the status 404 for missing services, which a page can't set once it is streaming.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search, searchParams } = request.nextUrl;
  const isService = pathname.startsWith("/apps/");
  const isPost = request.method === "POST";
  if (isPost && isFromOtherOrigin(request)) return foreignForm();
  // Only a service's page has a form. On other pages, Next fails with 500 if it can't read the form or find its action.
  if (methodsOfNoPage.has(request.method) || (isPost && !isService)) return methodNotAllowed(isService);
  const unreadable = isPost ? await refuseUnreadableForm(request) : undefined;
  if (unreadable) return unreadable;
  if (pathname.startsWith("/by/")) {
    return NextResponse.redirect(new URL(replacePublisherPath(pathname), request.url), 308);
  }
  // The route counts the request and sets its own headers.
  if (isService && wantsJson(request.headers.get("accept"))) return serviceAsJson(request);
  const { publicRpcUrl: rpcUrl, walletConnectProjectId } = environment();
  const policy = pageSecurityPolicy(crypto.randomUUID(), {
    rpcUrl,
    // Only a service's page requests an endpoint that its reader entered.
    askedRpc: pathname.startsWith("/apps/") ? readRpcOrigin(searchParams.get("rpc")) : undefined,
    walletConnect: walletConnectProjectId !== undefined,
    development: process.env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  // Next reads the nonce for its own scripts from this header.
  headers.set("content-security-policy", policy);
  headers.set(rawPathHeader, pathname);
  headers.delete(retryAfterHeader);
  headers.delete(precheckHeader);
  const quota = isCounted(pathname) ? await countPage(request) : undefined;
  let response: NextResponse;
  if (quota?.refused) {
    metrics().limited(quota.policy.name);
    headers.set(rawPathHeader, `${pathname}${search}`);
    response = tooManyRequests(request, headers, quota);
  } else {
    const seen = isService ? await precheckService(pathname) : undefined;
    if (typeof seen === "object") headers.set(precheckHeader, formatPrecheck(seen));
    response = NextResponse.next({ request: { headers }, ...(seen === "missing" ? { status: 404 } : {}) });
  }
  response.headers.set("content-security-policy", policy);
  if (isService) response.headers.append("vary", "Accept");
  for (const [name, value] of Object.entries(pageSecurityHeaders)) response.headers.set(name, value);
  for (const [name, value] of rateLimitHeaders(quota ? [quota] : [])) response.headers.set(name, value);
  return response;
}

/** Returns true if a page reads the index, the chain or a document for its reader. */
function isCounted(pathname: string): boolean {
  return pathname === "/" || /^\/(?:apps|issuers)(?:\/|$)/.test(pathname);
}

function countPage(request: NextRequest): Promise<Quota | undefined> {
  const limits = rateLimits();
  return limits.consume("pageClient", limits.clientAddress(request));
}

function tooManyRequests(request: NextRequest, headers: Headers, { reset }: Quota): NextResponse {
  const limited = { "retry-after": String(reset), "cache-control": "no-store" };
  // Only a form's own page has its action. Next throws the response text if its type is exactly text/plain.
  if (request.method === "POST") {
    const type = { "content-type": "text/plain" };
    return new NextResponse(formatRateLimitMessage(reset), { status: 429, headers: { ...limited, ...type } });
  }
  headers.set(retryAfterHeader, String(reset));
  const page = new URL("/too-many-requests", request.url);
  return NextResponse.rewrite(page, { status: 429, headers: limited, request: { headers } });
}

/** Serves the response of /api/apps to clients that request JSON from a service's page. */
function serviceAsJson({ url, nextUrl: { pathname } }: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL(`/api${pathname}`, url), { headers: { vary: "Accept" } });
}

/** Methods that Next would answer like GET. */
const methodsOfNoPage: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

function methodNotAllowed(hasForm: boolean): NextResponse {
  const allow = hasForm ? "GET, HEAD, POST" : "GET, HEAD";
  const headers = { allow, "content-type": "text/plain", ...apiSecurityHeaders };
  return new NextResponse("Method not allowed.", { status: 405, headers });
}

/** Returns true for pages of other hosts and origins such as `null`, on whose actions Next fails with 500. */
function isFromOtherOrigin({ headers }: NextRequest): boolean {
  const origin = headers.get("origin");
  if (origin === null) return false;
  const own = headers.get("x-forwarded-host") ?? headers.get("host");
  return !URL.canParse(origin) || new URL(origin).host !== own;
}

function foreignForm(): NextResponse {
  const headers = { "content-type": "text/plain", ...apiSecurityHeaders };
  return new NextResponse("Forms are accepted from this site's pages only.", { status: 403, headers });
}

/** Refuses a form whose body can't be read or parsed, on which Next fails with 500. */
async function refuseUnreadableForm(request: NextRequest): Promise<NextResponse | undefined> {
  const type = request.headers.get("content-type") ?? "";
  try {
    const body = await readBody(request);
    if (type.startsWith("multipart/form-data"))
      await new Response(body, { headers: { "content-type": type } }).formData();
    return undefined;
  } catch (error) {
    const unparsed = { httpStatus: 400, title: "The form is malformed" };
    const { httpStatus: status, title } = error instanceof ApiProblem ? error : unparsed;
    const headers = { "content-type": "text/plain", ...apiSecurityHeaders };
    return new NextResponse(`${title}.`, { status, headers });
  }
}

/** Matches everything except routes, which set their own headers, and static files. next.config.ts sets those of `/docs`. */
export const config = {
  matcher:
    "/((?!api(?:/|$)|\\.well-known/(?:ai-catalog\\.json|ard\\.json|security\\.txt)$|(?:healthz|readyz|mcp)$|v0\\.1/|feed\\.atom(?:/|$)|sitemap\\.xml$|sitemaps/|packages/|docs(?:/|$)|robots\\.txt$|llms\\.txt$|_next/static/).*)",
};
