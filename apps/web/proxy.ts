import { type NextRequest, NextResponse } from "next/server";
import { rawPathHeader } from "./features/service/rawPathHeader.ts";

/**
 * Hands the path of a service's page on as it was asked for. Next decodes a page's parameters, and decoding turns
 * `did:web:localhost%3A3000` into another DID (host localhost, path 3000).
 */
export function proxy(request: NextRequest): NextResponse {
  const headers = new Headers(request.headers);
  headers.set(rawPathHeader, request.nextUrl.pathname);
  return NextResponse.next({ request: { headers } });
}

export const config = { matcher: "/apps/:path+" };
