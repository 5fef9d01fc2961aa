"use client";

import { Button } from "@mantine/core";
import { useClipboard } from "@mantine/hooks";
import { IconCheck, IconCopy } from "@tabler/icons-react";

type CopyButtonProps = {
  /** The text to put on the clipboard. */
  text: string;
  /** What is copied, for screen readers: "Copy the DID". */
  label: string;
  /** Shows the word beside the icon. */
  withWord?: boolean;
};

/** Copies text and says whether it worked. */
export function CopyButton({ text, label, withWord = false }: CopyButtonProps) {
  const { copy, copied, error } = useClipboard({ timeout: 2000 });
  const Icon = copied ? IconCheck : IconCopy;
  const word = copied ? "Copied" : error ? "Not copied" : undefined;
  return (
    <Button
      variant="transparent"
      size="compact-xs"
      px={4}
      my={-4}
      mih={24}
      fw={400}
      c="var(--ink-3)"
      aria-label={label}
      onClick={() => copy(text)}
      leftSection={<Icon size={16} stroke={1.25} aria-hidden />}
      style={{ alignSelf: "center" }}
      styles={{ section: { marginInlineEnd: word || withWord ? 4 : 0 } }}
    >
      <span aria-live="polite">{word ?? (withWord ? "Copy" : "")}</span>
    </Button>
  );
}
