"use client";

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { CheckedVersion } from "./BrowserCheckForm.tsx";

// Few readers open this, so the form and the SDK's verification are loaded on demand.
const BrowserCheckForm = lazy(() => import("./BrowserCheckForm.tsx"));

type BrowserCheckProps = {
  checked: CheckedVersion;
  /** RPC endpoint that this site suggests. */
  rpcUrl: string;
  /** Content for the reader to compare first. It works without scripts. */
  children: ReactNode;
};

/** Repeats the checks in the reader's browser, with an RPC endpoint or a wallet of the reader's choice. */
export function BrowserCheck({ checked, rpcUrl, children }: BrowserCheckProps) {
  const [isOpen, setIsOpen] = useState(false);
  const [savedUrl, setSavedUrl] = useState<string>();
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    const saved = consumeRpcUrl();
    if (!fold.current || saved === undefined) return;
    setSavedUrl(saved);
    fold.current.open = true;
  }, []);

  /**
   * Returns true if the page's Content-Security-Policy allows requests to a URL. Otherwise reloads the page with a policy
   * that does.
   */
  function openUrl(url: URL): boolean {
    if ([new URL(rpcUrl).origin, location.origin, allowedRpcOrigin()].includes(url.origin)) return true;
    sessionStorage.setItem(STORED, url.href);
    location.assign(`${location.pathname}?rpc=${encodeURIComponent(url.origin)}`);
    return false;
  }

  return (
    <details className="fold" ref={fold} id="verify" onToggle={() => setIsOpen(true)}>
      <summary>Verify in your browser</summary>
      <div className="stack2">
        {children}
        {isOpen ? (
          <Suspense fallback={<p role="status">Loading…</p>}>
            <BrowserCheckForm checked={checked} savedUrl={savedUrl} openUrl={openUrl} />
          </Suspense>
        ) : null}
      </div>
    </details>
  );
}

/**
 * Session storage key of the entered RPC URL while its page reloads. Only this tab can read it, because it may contain
 * a key.
 */
const STORED = "app-registry-verify-rpc";

/** Returns the origin that this page's policy additionally allows. */
const allowedRpcOrigin = (): string | undefined =>
  new URLSearchParams(location.search).get("rpc") ?? undefined;

/**
 * Returns and deletes the URL that the user entered in this tab, if this page allows its origin. An origin that only a
 * link names is never requested.
 */
function consumeRpcUrl(): string | undefined {
  const stored = sessionStorage.getItem(STORED);
  sessionStorage.removeItem(STORED);
  return stored !== null && URL.parse(stored)?.origin === allowedRpcOrigin() ? stored : undefined;
}
