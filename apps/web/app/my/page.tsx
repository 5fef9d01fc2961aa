import type { Metadata } from "next";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { MyPage } from "../walletPages.tsx";

export const metadata: Metadata = { title: "My services" };

/** Render per request, because the configuration is not available at build time. */
export const dynamic = "force-dynamic";

/** Shows the connected wallet's services and the actions that it can take. */
export default async function Page() {
  return <MyPage connection={await serverConnection()} />;
}
