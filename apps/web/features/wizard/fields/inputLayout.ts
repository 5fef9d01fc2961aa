import type { InputWrapperProps } from "@mantine/core";
import type { FieldSpec } from "../draft/metadataFields.ts";
import { fieldId, useFieldError, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";

/** Layout of a field: the help follows the message, in its own column if there is room. */
export const inputLayout = {
  inputWrapperOrder: ["label", "input", "error", "description"] as NonNullable<
    InputWrapperProps["inputWrapperOrder"]
  >,
  classNames: {
    root: styles.root ?? "",
    label: styles.label ?? "",
    description: styles.description ?? "",
    error: styles.error ?? "",
    input: styles.input ?? "",
  },
};

/** Classes of an input for machine-readable text. */
export const monoInput = `${styles.input} mono small`;

/** Returns the props that every input needs. */
export function useInput({ at, label, help, placeholder, required = false, mono, wide }: FieldSpec) {
  const { touch, readOnly } = useWizard();
  const { root, input, ...others } = inputLayout.classNames;
  return {
    id: fieldId(at),
    error: useFieldError(at),
    disabled: readOnly,
    onBlur: () => touch(at),
    label,
    description: help,
    placeholder,
    withAsterisk: required,
    "aria-required": required,
    inputWrapperOrder: inputLayout.inputWrapperOrder,
    classNames: { ...others, root: wide ? `${root} ${styles.wide}` : root, input: mono ? monoInput : input },
  };
}
