"use client";

import { TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import { useFieldProps, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { fieldOrder, frame } from "./MetadataText.tsx";

interface DraftTextProps {
  field: "did" | "version" | "contractId" | "fungibleTokenId" | "dataUrl";
  label: string;
  help?: ReactNode;
  placeholder?: string;
  required?: boolean;
  /** The record has it already, and an update can't change it. */
  fixed?: boolean;
}

/** One text of the record that lies outside the metadata. */
export function DraftText({ field, label, help, placeholder, required, fixed }: DraftTextProps) {
  const { draft, dispatch } = useWizard();
  const props = useFieldProps(field);
  return (
    <TextInput
      {...props}
      label={label}
      description={help}
      placeholder={placeholder}
      value={draft[field]}
      onChange={(event) => dispatch({ type: "field", field, value: event.currentTarget.value })}
      withAsterisk={required ?? false}
      aria-required={required}
      readOnly={fixed ?? false}
      spellCheck={false}
      autoCapitalize="off"
      inputWrapperOrder={[...fieldOrder]}
      classNames={{ ...frame, input: `${frame.input} ${styles.mono}` }}
    />
  );
}
