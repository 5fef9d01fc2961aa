import { type NextRequest, NextResponse } from "next/server";
import { isMissingService } from "./features/service/isMissingService.ts";
import { rawPathHeader } from "./features/service/rawPathHeader.ts";
import { environment } from "./lib/server/environment.ts";
import { pageSecurityHeaders, pageSecurityPolicy } from "./lib/server/securityHeaders.ts";

/**
 * Goes before every page, and gives it its security headers with a nonce of its own for its scripts. Pages of services
 * get more: the path as it was asked for, because Next decodes a page's parameters, and decoding turns
 * `did:web:localhost%3A3000` into another DID (host localhost, path 3000). And the status 404 for a service that is not
 * there, which a page that is already streaming no longer can set.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  if (methodsOfNoPage.has(request.method)) return methodNotAllowed();
  const { publicRpcUrl: rpcUrl, walletConnectProjectId } = environment();
  const policy = pageSecurityPolicy(crypto.randomUUID(), {
    rpcUrl,
    walletConnect: walletConnectProjectId !== undefined,
    development: process.env.NODE_ENV === "development",
  });
  const headers = new Headers(request.headers);
  // Next takes the nonce for the scripts that it writes from here.
  headers.set("content-security-policy", policy);
  headers.set(rawPathHeader, pathname);
  const missing = pathname.startsWith("/apps/") && (await isMissingService(pathname));
  const response = NextResponse.next({ request: { headers }, ...(missing ? { status: 404 } : {}) });
  response.headers.set("content-security-policy", policy);
  for (const [name, value] of Object.entries(pageSecurityHeaders)) response.headers.set(name, value);
  return response;
}

/** Next would answer these as it answers GET. */
const methodsOfNoPage: ReadonlySet<string> = new Set(["PUT", "PATCH", "DELETE"]);

function methodNotAllowed(): NextResponse {
  const headers = { allow: "GET, HEAD, POST", "content-type": "text/plain", ...pageSecurityHeaders };
  return new NextResponse("A page is only read.", { status: 405, headers });
}

/** Everything but the API, which sets its own headers, and files, which hold nothing that runs by itself. */
export const config = { matcher: "/((?!api(?:/|$)|_next/static/).*)" };
