"use client";

import { Button } from "@mantine/core";
import { useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import { isJsonObject, type JsonObject, type JsonValue, pointerOf } from "../draft/pointer.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { JsonField } from "./JsonField.tsx";
import { MetadataText } from "./MetadataText.tsx";
import { TagsField } from "./TagsField.tsx";

/** One field of each row. */
export interface Column {
  key: string;
  label: string;
  kind?: "text" | "tags" | "json";
  help?: string;
  placeholder?: string;
  mono?: boolean;
  lines?: number;
}

interface RowsFieldProps {
  /** JSON pointer of the list of objects. */
  pointer: string;
  /** One of the list: "Tool". */
  item: string;
  columns: Column[];
  /** Key of the column that names a folded row. */
  summary: string;
}

/** A list of objects, each folded under its name. */
export function RowsField({ pointer, item, columns, summary }: RowsFieldProps) {
  const { dispatch, readOnly } = useWizard();
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const rows = Array.isArray(value) ? value : [];
  return (
    <div id={fieldId(pointer)} tabIndex={-1}>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
      {rows.map((row, index) => (
        <Row key={rowKey(index)} {...{ row, index, pointer, item, columns, summary }} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={readOnly}
        onClick={() => dispatch({ type: "addRow", pointer, value: {} })}
      >
        Add {article(item)} {item.toLowerCase()}
      </Button>
    </div>
  );
}

function Row(props: RowsFieldProps & { row: JsonValue; index: number }) {
  const { pointer, item, columns, summary, row, index } = props;
  const { dispatch, readOnly } = useWizard();
  const [open, setOpen] = useState(!isJsonObject(row) || Object.keys(row).length === 0);
  return (
    <details className={styles.fold} open={open} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{nameOf(row, summary) ?? `${item} ${index + 1}`}</summary>
      {open ? (
        <div className={styles.foldBody}>
          {columns.map((column) => (
            <Cell key={column.key} column={column} pointer={pointer + pointerOf(index, column.key)} />
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

// A row is its place in the list: it has no other identity.
const rowKey = (index: number): string => `row${index}`;

const article = (word: string): string => (/^[aeiou]/i.test(word) ? "an" : "a");

function nameOf(row: unknown, key: string): string | undefined {
  const name = isJsonObject(row) ? (row as JsonObject)[key] : undefined;
  return typeof name === "string" && name !== "" ? name : undefined;
}

function Cell({ column, pointer }: { column: Column; pointer: string }) {
  const { label, help = "", placeholder = "", mono = false, kind = "text", lines } = column;
  if (kind === "json") return <JsonField {...{ pointer, label, help }} lines={lines ?? 4} />;
  if (kind === "tags") return <TagsField {...{ pointer, label, help, placeholder }} />;
  return <MetadataText {...{ pointer, label, help, placeholder, mono }} {...(lines && { lines })} />;
}
