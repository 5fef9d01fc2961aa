import { metrics } from "@app-registry/server/metrics";
import { type NextRequest, NextResponse } from "next/server";
import { formatRateLimitMessage, retryAfterHeader } from "./features/rate-limit/limited.tsx";
import { formatPrecheck, precheckHeader, precheckService } from "./features/service/precheckService.ts";
import { rawPathHeader } from "./features/service/servicePath.ts";
import { wantsJson } from "./lib/server/embeds/wantsJson.ts";
import { environment } from "./lib/server/environment.ts";
import type { Quota } from "./lib/server/limits/rateLimiter.ts";
import { rateLimitHeaders, rateLimits } from "./lib/server/limits/rateLimits.ts";
import {
  apiSecurityHeaders,
  pageSecurityHeaders,
  pageSecurityPolicy,
  readRpcOrigin,
} from "./lib/server/securityHeaders.ts";

/**
 * Goes before every page, and gives it its security headers with a nonce of its own for its scripts. Pages that search
 * or verify are counted by client, and one that is over its limit gets a page that says so. Pages of services get more:
 * the path as it was asked for, because Next decodes a page's parameters, and decoding turns
 * `did:web:localhost%3A3000` into another DID (host localhost, path 3000). And the status 404 for a service that is not
 * there, which a page that is already streaming no longer can set.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname, search, searchParams } = request.nextUrl;
  const isService = pathname.startsWith("/apps/");
  const isPost = request.method === "POST";
  if (isPost && hasUnreadableOrigin(request)) return foreignForm();
  // Only a service's page has a form. At any other, Next fails (500) when it can't read the form or find its action.
  if (methodsOfNoPage.has(request.method) || (isPost && !isService)) return methodNotAllowed(isService);
  // The route counts the request, and sets its own headers.
  if (isService && wantsJson(request.headers.get("accept"))) return serviceAsJson(request);
  const { publicRpcUrl: rpcUrl, walletConnectProjectId } = environment();
  const policy = pageSecurityPolicy(crypto.randomUUID(), {
    rpcUrl,
    // Only a service's page asks an endpoint that its reader typed.
    askedRpc: pathname.startsWith("/apps/") ? readRpcOrigin(searchParams.get("rpc")) : undefined,
    walletConnect: walletConnectProjectId !== undefined,
    development: process.env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  // Next takes the nonce for the scripts that it writes from here.
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

/** Whether a page reads the index, the chain or a document for its reader. */
function isCounted(pathname: string): boolean {
  return pathname === "/" || /^\/(?:apps|by|owners|issuers)(?:\/|$)/.test(pathname);
}

function countPage(request: NextRequest): Promise<Quota | undefined> {
  const limits = rateLimits();
  return limits.consume("pageClient", limits.clientAddress(request));
}

function tooManyRequests(request: NextRequest, headers: Headers, { reset }: Quota): NextResponse {
  const limited = { "retry-after": String(reset), "cache-control": "no-store" };
  // A form's action is on its own page alone. Next throws what such an answer says, when it is text of just this type.
  if (request.method === "POST") {
    const type = { "content-type": "text/plain" };
    return new NextResponse(formatRateLimitMessage(reset), { status: 429, headers: { ...limited, ...type } });
  }
  headers.set(retryAfterHeader, String(reset));
  const page = new URL("/too-many-requests", request.url);
  return NextResponse.rewrite(page, { status: 429, headers: limited, request: { headers } });
}

/** Answers what /api/apps answers, for who asks a service's page for JSON. */
function serviceAsJson({ url, nextUrl: { pathname } }: NextRequest): NextResponse {
  return NextResponse.rewrite(new URL(`/api${pathname}`, url), { headers: { vary: "Accept" } });
}

/** Next would answer these as it answers GET. */
const methodsOfNoPage: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

function methodNotAllowed(hasForm: boolean): NextResponse {
  const allow = hasForm ? "GET, HEAD, POST" : "GET, HEAD";
  const headers = { allow, "content-type": "text/plain", ...apiSecurityHeaders };
  return new NextResponse("Method not allowed.", { status: 405, headers });
}

/** Returns true for the origin `null` and the like, at which Next fails (500) when it compares it with the host. */
function hasUnreadableOrigin({ headers }: NextRequest): boolean {
  const origin = headers.get("origin");
  return origin !== null && !URL.canParse(origin);
}

function foreignForm(): NextResponse {
  const headers = { "content-type": "text/plain", ...apiSecurityHeaders };
  return new NextResponse("Forms are accepted from this site's pages only.", { status: 403, headers });
}

/** Everything but routes, which set their own headers, and files, which hold nothing that runs by itself. */
export const config = {
  matcher:
    "/((?!api(?:/|$)|v0\\.1/|feed\\.(?:atom|json)(?:/|$)|sitemap\\.xml$|sitemaps/|robots\\.txt$|llms\\.txt$|_next/static/).*)",
};
