"use client";

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { BrowserCheckFormProps } from "./BrowserCheckForm.tsx";
import { hasSavedRpcUrl } from "./customRpcUrl.ts";

// Few readers open this, so the form and the SDK's verification are loaded on demand.
const BrowserCheckForm = lazy(() => import("./BrowserCheckForm.tsx"));

type BrowserCheckProps = BrowserCheckFormProps & {
  /** Content for the reader to compare first. It works without scripts. */
  children: ReactNode;
};

/** Repeats the checks in the reader's browser, with an RPC endpoint or a wallet of the reader's choice. */
export function BrowserCheck({ children, ...checked }: BrowserCheckProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (fold.current && hasSavedRpcUrl()) fold.current.open = true;
  }, []);
  return (
    <details className="fold" ref={fold} id="verify" onToggle={() => setIsOpen(true)}>
      <summary>Verify in your browser</summary>
      <div className="stack2">
        {children}
        {isOpen ? (
          <Suspense fallback={<p role="status">Loading…</p>}>
            <BrowserCheckForm {...checked} />
          </Suspense>
        ) : null}
      </div>
    </details>
  );
}
