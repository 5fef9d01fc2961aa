"use client";

import dynamic from "next/dynamic";
import type { Address } from "viem";
import type { RegistryConnection } from "../wallet/config.ts";
import styles from "./ControlPage.module.css";

interface ControlPageProps {
  connection: RegistryConnection;
  did: string;
  account: Address;
}

// The wallet lives in the browser alone.
const AccountControlView = dynamic(
  () => import("./AccountControlView.tsx").then((module) => module.AccountControlView),
  { ssr: false, loading: () => <p>Asking the chain</p> },
);

/** The page of one account's control of a DID. */
export function ControlPage(props: ControlPageProps) {
  return (
    <div className={styles.page}>
      <h1>Control of a DID</h1>
      <noscript>This page needs JavaScript, because it asks the chain from your browser.</noscript>
      <AccountControlView {...props} />
    </div>
  );
}
