import { parseVersionPart } from "@app-registry/sdk";
import type { Metadata } from "next";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { RegisterPage } from "../walletPages.tsx";

export const metadata: Metadata = { title: "Register a service" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

type SearchParams = Promise<Record<string, string | string[] | undefined>>;

/**
 * Shows the wizard. With `?did=…&major=…` the wizard publishes a new version of that record, with `?service=…` it begins
 * with that DID or address.
 */
export default async function Page({ searchParams }: { searchParams: SearchParams }) {
  const { did, major, service } = await searchParams;
  const existing = typeof did === "string" && did !== "" ? { did, major: parseMajor(major) } : undefined;
  return (
    <RegisterPage
      connection={await serverConnection()}
      existing={existing}
      service={typeof service === "string" ? service : ""}
    />
  );
}

function parseMajor(text: string | string[] | undefined): number | undefined {
  return typeof text === "string" ? parseVersionPart(text) : undefined;
}
