"use client";

import dynamic from "next/dynamic";
import type { RegistryConnection } from "../wallet/config.ts";

interface RegisterPageProps {
  connection: RegistryConnection;
  /** The record whose next version is published; `major` undefined for the latest one. */
  existing?: { did: string; major: number | undefined } | undefined;
}

// The form and the wallet live in the browser alone: what was typed is kept there.
const Registration = dynamic(() => import("./Registration.tsx").then((module) => module.Registration), {
  ssr: false,
  loading: () => <p className="soft">Opening the form</p>,
});

/** The page of the wizard. */
export function RegisterPage({ connection, existing }: RegisterPageProps) {
  return (
    <div className="stack2">
      <h1>{existing ? "Publish a new version" : "Register a service"}</h1>
      <noscript>The form needs JavaScript, because your wallet signs in the browser.</noscript>
      <Registration connection={connection} existing={existing} />
    </div>
  );
}
