"use client";

import { toJsonPointer } from "@app-registry/sdk";
import { CloseButton, Input, TextInput } from "@mantine/core";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec } from "../draft/metadataFields.ts";
import { toList, toText, withArticle } from "../draft/values.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { inputLayout, monoInput } from "./inputLayout.ts";

/** Renders a list of URLs or texts, one per line. An empty list shows one empty line. */
export function LinesField(spec: FieldSpec) {
  const { at: pointer, label, item = "", help, required = false, placeholder, control } = spec;
  const { dispatch } = useWizard();
  const error = useFieldError(pointer, { exact: true });
  const rows = toList(useMetadata(pointer));
  const { input: _, ...classNames } = inputLayout.classNames;
  return (
    <Input.Wrapper
      id={fieldId(pointer)}
      labelElement="div"
      {...{ label, error, classNames }}
      description={help}
      withAsterisk={required}
      inputWrapperOrder={inputLayout.inputWrapperOrder}
    >
      <div className="stack">
        {(rows.length === 0 ? [""] : rows).map((row, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            key={index}
            {...{ pointer, item, index, placeholder, isUrl: control === "urls" }}
            value={toText(row)}
          />
        ))}
        {rows.length > 0 ? (
          <div>
            <QuietButton onClick={() => dispatch({ type: "addRow", pointer, value: "" })}>
              Add {withArticle(item)}
            </QuietButton>
          </div>
        ) : null}
      </div>
    </Input.Wrapper>
  );
}

type LineProps = {
  pointer: string;
  item: string;
  index: number;
  value: string;
  placeholder: string | undefined;
  isUrl: boolean;
};

function Line({ pointer, item, index, value, placeholder, isUrl }: LineProps) {
  const { dispatch, touch, readOnly } = useWizard();
  const at = pointer + toJsonPointer([index]);
  const error = useFieldError(at);
  const remove = () => dispatch({ type: "removeRow", pointer, index });
  return (
    <div className={styles.row}>
      <TextInput
        id={fieldId(at)}
        aria-label={`${item} ${index + 1}${isUrl ? " URL" : ""}`}
        {...{ placeholder, value, error }}
        disabled={readOnly}
        onBlur={() => {
          touch(at);
          if (value === "") remove();
        }}
        onChange={(event) => dispatch({ type: "setRow", pointer, index, value: event.currentTarget.value })}
        classNames={{
          input: isUrl ? monoInput : inputLayout.classNames.input,
          error: inputLayout.classNames.error,
        }}
      />
      {value === "" ? null : (
        <CloseButton aria-label={`Remove ${item.toLowerCase()} ${index + 1}`} onClick={remove} />
      )}
    </div>
  );
}
