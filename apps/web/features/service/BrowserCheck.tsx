"use client";

import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import type { BrowserCheckFormProps } from "./BrowserCheckForm.tsx";
import { hasSavedRpcUrl } from "./customRpcUrl.ts";

// Few readers ask, so the form and the sdk's verification are loaded for those alone.
const BrowserCheckForm = lazy(() => import("./BrowserCheckForm.tsx"));

type BrowserCheckProps = BrowserCheckFormProps & {
  /** What the reader compares first; it is there without scripts. */
  children: ReactNode;
};

/** Repeats the facts in the reader's browser, by an RPC endpoint or a wallet of the reader's choice. */
export function BrowserCheck({ children, ...checked }: BrowserCheckProps) {
  const [isOpen, setIsOpen] = useState(false);
  const fold = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (fold.current && hasSavedRpcUrl()) fold.current.open = true;
  }, []);
  return (
    <details className="fold" ref={fold} id="verify" onToggle={() => setIsOpen(true)}>
      <summary>Verify it in your browser</summary>
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
