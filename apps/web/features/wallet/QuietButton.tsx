import { Button, type ButtonProps } from "@mantine/core";
import type { ComponentPropsWithoutRef } from "react";

type QuietButtonProps = ButtonProps & Omit<ComponentPropsWithoutRef<"button">, keyof ButtonProps>;

/** A button for what is possible beside the main way: no frame, in the colour of links. */
export function QuietButton(props: QuietButtonProps) {
  return <Button variant="subtle" size="compact-sm" color="var(--accent)" {...props} />;
}
