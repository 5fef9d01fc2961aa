"use client";

import dynamic from "next/dynamic";
import type { RegistryConnection } from "../wallet/config.ts";
import styles from "./MyServices.module.css";

// The wallet lives in the browser alone.
const MyServices = dynamic(() => import("./MyServices.tsx").then((module) => module.MyServices), {
  ssr: false,
  loading: () => <p className={styles.note}>Opening your wallet</p>,
});

/** The page of the connected wallet's services. */
export function MyPage({ connection }: { connection: RegistryConnection }) {
  return (
    <div className={styles.page}>
      <h1>My services</h1>
      <noscript>This page needs JavaScript, because your wallet signs in the browser.</noscript>
      <MyServices connection={connection} />
    </div>
  );
}
