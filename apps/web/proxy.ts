import { type NextRequest, NextResponse } from "next/server";
import { isMissingService } from "./features/service/isMissingService.ts";
import { rawPathHeader } from "./features/service/rawPathHeader.ts";

/**
 * Goes before the pages of services. It hands the path on as it was asked for, because Next decodes a page's
 * parameters, and decoding turns `did:web:localhost%3A3000` into another DID (host localhost, path 3000). And it
 * sets the status 404 for a service that is not there, which a page that is already streaming no longer can.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  const { pathname } = request.nextUrl;
  const headers = new Headers(request.headers);
  headers.set(rawPathHeader, pathname);
  const missing = await isMissingService(pathname);
  return NextResponse.next({ request: { headers }, ...(missing ? { status: 404 } : {}) });
}

export const config = { matcher: "/apps/:path+" };
