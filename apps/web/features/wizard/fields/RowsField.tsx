"use client";

import { isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { type ComponentType, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec } from "../draft/metadataFields.ts";
import { toList, withArticle } from "../draft/values.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";

/** Props of a list of rows. `Each` renders one field of a row. */
type RowsProps = FieldSpec & { Each: ComponentType<FieldSpec> };

/** Renders a list of objects, each folded under its name. */
export function RowsField(spec: RowsProps) {
  const { at: pointer, item = "" } = spec;
  const { dispatch, readOnly } = useWizard();
  const error = useFieldError(pointer, { exact: true });
  return (
    <div id={fieldId(pointer)} tabIndex={-1}>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
      {toList(useMetadata(pointer)).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
        <Row key={index} {...{ spec, row, index }} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={readOnly}
        onClick={() => dispatch({ type: "addRow", pointer, value: {} })}
      >
        Add {withArticle(item)}
      </Button>
    </div>
  );
}

function Row({ spec, row, index }: { spec: RowsProps; row: JsonValue; index: number }) {
  const { at: pointer, item = "", columns = [], Each } = spec;
  const { dispatch, readOnly } = useWizard();
  const fields = isJsonObject(row) ? row : {};
  const [open, setOpen] = useState(Object.keys(fields).length === 0);
  const name = fields[columns[0]?.at.slice(1) ?? ""];
  return (
    <details
      className={`part anywhere ${styles.entry}`}
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{typeof name === "string" && name !== "" ? name : `${item} ${index + 1}`}</summary>
      {open ? (
        <div className={`stack2 ${styles.entryBody}`}>
          {columns.map((column) => (
            <Each key={column.at} {...column} at={pointer + toJsonPointer([index]) + column.at} />
          ))}
          <div>
            <QuietButton disabled={readOnly} onClick={() => dispatch({ type: "removeRow", pointer, index })}>
              Remove this {item.toLowerCase()}
            </QuietButton>
          </div>
        </div>
      ) : null}
    </details>
  );
}
