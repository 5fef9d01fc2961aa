import type { Metadata } from "next";
import { serverConnection } from "../../features/wallet/serverConnection.ts";
import { MyPage } from "../../features/walletPages.tsx";

export const metadata: Metadata = { title: "My services" };

/** The configuration is read when the page is asked for, not when it is built. */
export const dynamic = "force-dynamic";

/** The services of the connected wallet, with what their holder can do. */
export default function Page() {
  return <MyPage connection={serverConnection()} />;
}
