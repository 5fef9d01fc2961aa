"use client";

import dynamic from "next/dynamic";
import type { RegistryConnection } from "../wallet/config.ts";

// The wallet lives in the browser alone.
const MyServices = dynamic(() => import("./MyServices.tsx").then((module) => module.MyServices), {
  ssr: false,
  loading: () => <p className="soft">Opening your wallet</p>,
});

/** The page of the connected wallet's services. */
export function MyPage({ connection }: { connection: RegistryConnection }) {
  return (
    <div className="stack2">
      <h1>My services</h1>
      <noscript>This page needs JavaScript, because your wallet signs in the browser.</noscript>
      <MyServices connection={connection} />
    </div>
  );
}
