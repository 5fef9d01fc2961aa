"use client";

import { useEffect, useRef } from "react";
import { useFormStatus } from "react-dom";
import { LinkButton } from "../../components/controls/controls.tsx";

type CheckAgainButtonProps = {
  /** What is said while the answer is awaited. */
  asking: string;
  /** Whether to ask once without being pressed, because not every fact is known. */
  atOnce: boolean;
};

/** Submits the form around it; says what is going on while the answer is awaited. */
export function CheckAgainButton({ asking, atOnce }: CheckAgainButtonProps) {
  const { pending } = useFormStatus();
  const button = useRef<HTMLButtonElement>(null);
  const hasAsked = useRef(false);
  useEffect(() => {
    if (!atOnce || hasAsked.current) return;
    hasAsked.current = true;
    button.current?.form?.requestSubmit();
  }, [atOnce]);
  return (
    <LinkButton ref={button} type="submit" disabled={pending} aria-live="polite">
      {pending ? asking : "Check again"}
    </LinkButton>
  );
}
