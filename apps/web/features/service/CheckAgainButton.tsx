"use client";

import { Anchor } from "@mantine/core";
import { useFormStatus } from "react-dom";

/** Submits the form around it; says what is going on while the answer is awaited. */
export function CheckAgainButton({ asking }: { asking: string }) {
  const { pending } = useFormStatus();
  return (
    <Anchor component="button" type="submit" fz="xs" ta="right" disabled={pending} aria-live="polite">
      {pending ? asking : "Check again"}
    </Anchor>
  );
}
