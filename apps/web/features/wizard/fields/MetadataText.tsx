"use client";

import { Textarea, TextInput } from "@mantine/core";
import { useFieldProps, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";

/** Help stands after the message, in a column of its own where there is room. */
export const fieldOrder = ["label", "input", "error", "description"] as const;

export const frame = {
  root: styles.root ?? "",
  label: styles.label ?? "",
  description: styles.description ?? "",
  error: styles.error ?? "",
  input: styles.input ?? "",
};

interface MetadataTextProps {
  /** JSON pointer of the text in the metadata. */
  pointer: string;
  label: string;
  help?: string;
  placeholder?: string;
  required?: boolean;
  /** Rows of a text of several lines. */
  lines?: number;
  /** For DIDs, URLs and other texts of machines. */
  mono?: boolean;
  /** Takes the text in place of setting it at the pointer. */
  onText?: (text: string) => void;
}

/** One text of the metadata. An empty field leaves it out of the document. */
export function MetadataText(parameters: MetadataTextProps) {
  const { pointer, label, help, placeholder, required = false, lines, mono, onText } = parameters;
  const { dispatch } = useWizard();
  const value = useMetadata(pointer);
  const props = useFieldProps(pointer);
  const shared = {
    ...props,
    label,
    description: help,
    placeholder,
    value: typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value),
    onChange: ({ currentTarget: { value: text } }: { currentTarget: { value: string } }) =>
      onText ? onText(text) : dispatch({ type: "set", pointer, value: text }),
    withAsterisk: required,
    "aria-required": required,
    inputWrapperOrder: [...fieldOrder],
    classNames: { ...frame, input: `${frame.input} ${mono ? styles.mono : ""}` },
  };
  return lines ? <Textarea {...shared} autosize minRows={lines} maxRows={12} /> : <TextInput {...shared} />;
}
