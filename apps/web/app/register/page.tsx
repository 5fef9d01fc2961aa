import { parseVersionPart } from "@app-registry/sdk";
import type { Metadata } from "next";
import { type PageSearchParams, readParam } from "../../features/explore/listQuery.ts";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { RegisterPage } from "../walletPages.tsx";

export const metadata: Metadata = { title: "Register a service" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

/**
 * Shows the wizard. With `?did=…&major=…` the wizard publishes a new version of that record, with `?service=…` it begins
 * with that DID or address.
 */
export default async function Page({ searchParams }: { searchParams: Promise<PageSearchParams> }) {
  const params = await searchParams;
  const did = readParam(params.did);
  const existing = did === "" ? undefined : { did, major: parseVersionPart(readParam(params.major)) };
  return (
    <RegisterPage
      connection={await serverConnection()}
      existing={existing}
      service={readParam(params.service)}
    />
  );
}
