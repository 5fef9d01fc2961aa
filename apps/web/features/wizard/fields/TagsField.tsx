"use client";

import { TagsInput } from "@mantine/core";
import { useFieldProps, useMetadata, useWizard } from "../WizardContext.tsx";
import { fieldOrder, frame } from "./MetadataText.tsx";

interface TagsFieldProps {
  /** JSON pointer of a list of short texts. */
  pointer: string;
  label: string;
  help?: string;
  placeholder?: string;
}

/** A list of short texts; comma, space or Enter ends each. */
export function TagsField({ pointer, label, help, placeholder }: TagsFieldProps) {
  const { dispatch } = useWizard();
  const value = useMetadata(pointer);
  const props = useFieldProps(pointer);
  const tags = (Array.isArray(value) ? value : []).map((entry) =>
    typeof entry === "string" ? entry : JSON.stringify(entry),
  );
  return (
    <TagsInput
      {...props}
      label={label}
      description={help}
      placeholder={tags.length === 0 ? placeholder : undefined}
      value={tags}
      onChange={(next) => dispatch({ type: "set", pointer, value: next.length === 0 ? undefined : next })}
      splitChars={[",", " ", "\n"]}
      acceptValueOnBlur
      inputWrapperOrder={[...fieldOrder]}
      classNames={frame}
    />
  );
}
