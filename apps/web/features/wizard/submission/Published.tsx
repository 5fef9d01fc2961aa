"use client";

import { appPath, type Operation } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { lazy, Suspense } from "react";
import { DidText, HashText } from "../../../components/record/identifiers.tsx";

// Load the sharing options only after publishing.
const SharedLinks = lazy(() =>
  import("./SharedLinks.tsx").then((module) => ({ default: module.SharedLinks })),
);

interface PublishedProps {
  /** Completed publication. */
  operation: Operation;
}

/** Shows the published version with links to its page, badge, card and instructions. */
export function Published({ operation: { did, request, transactionHash, plan } }: PublishedProps) {
  const isNew = plan?.action === "mint";
  const version = request?.version ?? "";
  return (
    <section
      className="stack3 headed"
      aria-labelledby="step-title"
      style={{ paddingBlock: "var(--space-3)" }}
    >
      <header className="stack">
        <h2 id="step-title" tabIndex={-1} style={{ outline: "none" }}>
          {isNew ? "Your service is registered" : `Version ${version} is published`}
        </h2>
        <DidText did={did} />
        <p className="prose soft">
          {isNew ? `Version ${version} is on the chain. ` : "Earlier versions stay readable. "}
          Anyone can now find it, read it and verify it. Your draft has been cleared.
        </p>
        {transactionHash === undefined ? null : (
          <p>
            Transaction <HashText hash={transactionHash} label="transaction hash" />
          </p>
        )}
      </header>
      <div className="bar">
        <Button component="a" href={appPath(did)}>
          View service
        </Button>
        <Button component="a" href="/my" variant="default">
          My services
        </Button>
        <Button component="a" href="/register" variant="default">
          Register another
        </Button>
      </div>
      <Suspense fallback={<p className="soft">Loading sharing options…</p>}>
        <SharedLinks did={did} version={version} metadata={request?.metadata ?? "{}"} />
      </Suspense>
    </section>
  );
}
