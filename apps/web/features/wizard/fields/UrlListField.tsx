"use client";

import { CloseButton, Input, TextInput } from "@mantine/core";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { pointerOf } from "../draft/pointer.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { fieldOrder, frame } from "./MetadataText.tsx";

interface UrlListFieldProps {
  /** JSON pointer of the list. */
  pointer: string;
  /** The list: "Screenshots". */
  label: string;
  /** One of it: "Screenshot". */
  item: string;
  help?: string;
  required?: boolean;
  placeholder?: string;
}

/** A list of URLs, one to a line. There is always an empty line to write the next one. */
export function UrlListField({ pointer, label, item, help, required, placeholder }: UrlListFieldProps) {
  const { dispatch } = useWizard();
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const rows = Array.isArray(value) ? value : [];
  return (
    <Input.Wrapper
      id={fieldId(pointer)}
      labelElement="div"
      label={label}
      description={help}
      error={error}
      withAsterisk={required ?? false}
      inputWrapperOrder={[...fieldOrder]}
      classNames={{
        root: frame.root,
        label: frame.label,
        description: frame.description,
        error: frame.error,
      }}
    >
      <div className={styles.rows}>
        {rows.map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            key={index}
            {...{ pointer, item, index }}
            value={typeof row === "string" ? row : JSON.stringify(row)}
          />
        ))}
        {rows.length === 0 ? <Row {...{ pointer, item, placeholder }} index={0} value="" /> : null}
        {rows.length > 0 ? (
          <div>
            <QuietButton onClick={() => dispatch({ type: "addRow", pointer, value: "" })}>
              Add a {item.toLowerCase()}
            </QuietButton>
          </div>
        ) : null}
      </div>
    </Input.Wrapper>
  );
}

function Row(props: {
  pointer: string;
  item: string;
  index: number;
  value: string;
  placeholder?: string | undefined;
}) {
  const { pointer, item, index, value, placeholder } = props;
  const { dispatch, touch, readOnly } = useWizard();
  const field = pointer + pointerOf(index);
  const error = useFieldError(field);
  return (
    <div className={styles.row}>
      <TextInput
        id={fieldId(field)}
        aria-label={`${item} ${index + 1} URL`}
        placeholder={placeholder}
        value={value}
        error={error}
        disabled={readOnly}
        onBlur={() => {
          touch(field);
          if (value === "") dispatch({ type: "removeRow", pointer, index });
        }}
        onChange={(event) => dispatch({ type: "setRow", pointer, index, value: event.currentTarget.value })}
        classNames={{ input: `${frame.input} ${styles.mono}`, error: frame.error }}
      />
      {value === "" ? null : (
        <CloseButton
          aria-label={`Remove ${item.toLowerCase()} ${index + 1}`}
          onClick={() => dispatch({ type: "removeRow", pointer, index })}
        />
      )}
    </div>
  );
}
