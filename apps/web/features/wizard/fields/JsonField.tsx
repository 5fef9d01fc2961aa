"use client";

import { Textarea } from "@mantine/core";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { textProblem } from "../draft/problems.ts";
import { useFieldProps, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { fieldOrder, frame } from "./MetadataText.tsx";

interface JsonFieldProps {
  /** JSON pointer of the part that is edited; `""` is the whole document. */
  pointer: string;
  label: string;
  help?: string;
  /** Takes the whole width, for long documents. */
  wide?: boolean;
  lines?: number;
  /** Most lines before it scrolls. */
  maxLines?: number;
}

/**
 * A part of the metadata as JSON text. While the text is not JSON it stays as it is, with the line and column of the
 * mistake, and the record keeps the last value that was.
 */
export function JsonField({ pointer, label, help, wide = false, lines = 4, maxLines = 24 }: JsonFieldProps) {
  const { draft, dispatch } = useWizard();
  const value = useMetadata(pointer);
  const props = useFieldProps(pointer);
  const text = draft.texts[pointer];
  const broken = text !== undefined && textProblem(pointer, text) !== undefined;
  return (
    <div className={styles.rows}>
      <Textarea
        {...props}
        label={label}
        description={help}
        value={text ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onChange={(event) => dispatch({ type: "text", pointer, text: event.currentTarget.value })}
        onBlur={() => {
          props.onBlur();
          dispatch({ type: "closeText", pointer });
        }}
        autosize
        minRows={lines}
        maxRows={maxLines}
        spellCheck={false}
        inputWrapperOrder={[...fieldOrder]}
        classNames={{
          ...frame,
          root: wide ? `${frame.root} ${styles.wide}` : frame.root,
          input: `${frame.input} ${styles.mono}`,
        }}
      />
      {broken ? (
        <div>
          <QuietButton onClick={() => dispatch({ type: "discardText", pointer })}>
            Go back to the last text without mistakes
          </QuietButton>
        </div>
      ) : null}
    </div>
  );
}
