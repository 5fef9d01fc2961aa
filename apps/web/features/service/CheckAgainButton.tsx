"use client";

import { useEffect, useRef } from "react";
import { useFormStatus } from "react-dom";
import { LinkButton } from "../../components/controls/controls.tsx";

type CheckAgainButtonProps = {
  /** Text to show during the check. */
  asking: string;
  /** Starts a check without a click, because a fact is unknown. */
  atOnce: boolean;
};

/** Renders a button that submits its form and shows progress. */
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
