"use client";

import { isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import {
  Button,
  CloseButton,
  Input,
  type InputWrapperProps,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";

import { textProblem } from "../draft/problems.ts";
import type { DraftTextField, FieldSpec } from "../draft/screens.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";

/** The help stands after the message, in a column of its own where there is room. */
export const frame = {
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

const monoInput = `${styles.input} mono small`;

/** What an input of a field needs, whatever its kind. */
export function useInput({ at, label, help, placeholder, required = false, mono, wide }: FieldSpec) {
  const { touch, readOnly } = useWizard();
  const { root, input, ...others } = frame.classNames;
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
    inputWrapperOrder: frame.inputWrapperOrder,
    classNames: { ...others, root: wide ? `${root} ${styles.wide}` : root, input: mono ? monoInput : input },
  };
}

type FieldProps = FieldSpec & {
  /** The record has the value already, and an update can't change it. */
  fixed?: boolean;
  /** Takes the text in place of setting it. */
  onText?: (text: string) => void;
};

/** One field of the form: its label, its value in the record, its help, and what is wrong with it. */
export function Field({ fixed, onText, ...spec }: FieldProps) {
  switch (spec.control) {
    case "tags":
      return <TagsField {...spec} />;
    case "json":
      return <JsonField {...spec} />;
    case "urls":
      return <UrlsField {...spec} />;
    case "rows":
      return <RowsField {...spec} />;
    default:
      return <TextField {...spec} {...(fixed && { fixed })} {...(onText && { onText })} />;
  }
}

const textOf = (value: JsonValue | undefined): string =>
  typeof value === "string" ? value : value === undefined ? "" : JSON.stringify(value);

const listOf = (value: JsonValue | undefined): JsonValue[] => (Array.isArray(value) ? value : []);

/** A text of the metadata or of the record. An empty field leaves it out of the document. */
function TextField({ fixed = false, onText, ...spec }: FieldProps) {
  const { at, lines } = spec;
  const { draft, dispatch } = useWizard();
  const inMetadata = at.startsWith("/");
  const value = useMetadata(inMetadata ? at : "");
  const isMachineText = !inMetadata || spec.mono === true;
  const input = useInput({ ...spec, mono: isMachineText });
  const shared = {
    ...input,
    value: inMetadata ? textOf(value) : draft[at as DraftTextField],
    onChange: ({ currentTarget }: { currentTarget: { value: string } }) => {
      const text = currentTarget.value;
      if (onText) onText(text);
      else if (inMetadata) dispatch({ type: "set", pointer: at, value: text });
      else dispatch({ type: "field", field: at as DraftTextField, value: text });
    },
    readOnly: fixed,
    ...(isMachineText && { spellCheck: false, autoCapitalize: "off" }),
  };
  return lines ? <Textarea {...shared} autosize minRows={lines} maxRows={12} /> : <TextInput {...shared} />;
}

/** A list of short texts in the metadata. */
function TagsField(spec: FieldSpec) {
  const { dispatch } = useWizard();
  const tags = listOf(useMetadata(spec.at)).map(textOf);
  const set = (next: string[]) =>
    dispatch({ type: "set", pointer: spec.at, value: next.length === 0 ? undefined : next });
  return <Tags {...spec} tags={tags} onTags={set} />;
}

type TagsProps = FieldSpec & { tags: string[]; onTags: (next: string[]) => void };

/** A list of short texts; comma, space or Enter ends each. */
export function Tags({ tags, onTags, ...spec }: TagsProps) {
  return (
    <TagsInput
      {...useInput(spec)}
      placeholder={tags.length === 0 ? spec.placeholder : undefined}
      value={tags}
      onChange={onTags}
      splitChars={[",", " ", "\n"]}
      acceptValueOnBlur
    />
  );
}

/**
 * A part of the metadata as JSON text. While the text is not JSON it stays as it is, with the line and column of the
 * mistake, and the record keeps the last value that parsed.
 */
function JsonField(spec: FieldSpec) {
  const { at: pointer, lines = 4, maxLines = 24 } = spec;
  const { draft, dispatch } = useWizard();
  const value = useMetadata(pointer);
  const input = useInput({ ...spec, mono: true });
  const text = draft.texts[pointer];
  const broken = text !== undefined && textProblem(pointer, text) !== undefined;
  return (
    <div className="stack">
      <Textarea
        {...input}
        value={text ?? (value === undefined ? "" : JSON.stringify(value, null, 2))}
        onChange={(event) => dispatch({ type: "text", pointer, text: event.currentTarget.value })}
        onBlur={() => {
          input.onBlur();
          dispatch({ type: "closeText", pointer });
        }}
        autosize
        minRows={lines}
        maxRows={maxLines}
        spellCheck={false}
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

/** A list of URLs, one to a line. There is always an empty line to write the next one. */
function UrlsField({ at: pointer, label, item = "", help, required = false, placeholder }: FieldSpec) {
  const { dispatch } = useWizard();
  const error = useFieldError(pointer, { exact: true });
  const rows = listOf(useMetadata(pointer));
  const { input: _, ...classNames } = frame.classNames;
  return (
    <Input.Wrapper
      id={fieldId(pointer)}
      labelElement="div"
      {...{ label, error, classNames }}
      description={help}
      withAsterisk={required}
      inputWrapperOrder={frame.inputWrapperOrder}
    >
      <div className="stack">
        {(rows.length === 0 ? [""] : rows).map((row, index) => (
          <UrlRow
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            key={index}
            {...{ pointer, item, index, placeholder }}
            value={textOf(row)}
          />
        ))}
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

type UrlRowProps = {
  pointer: string;
  item: string;
  index: number;
  value: string;
  placeholder: string | undefined;
};

function UrlRow({ pointer, item, index, value, placeholder }: UrlRowProps) {
  const { dispatch, touch, readOnly } = useWizard();
  const at = pointer + toJsonPointer([index]);
  const error = useFieldError(at);
  const remove = () => dispatch({ type: "removeRow", pointer, index });
  return (
    <div className={styles.row}>
      <TextInput
        id={fieldId(at)}
        aria-label={`${item} ${index + 1} URL`}
        {...{ placeholder, value, error }}
        disabled={readOnly}
        onBlur={() => {
          touch(at);
          if (value === "") remove();
        }}
        onChange={(event) => dispatch({ type: "setRow", pointer, index, value: event.currentTarget.value })}
        classNames={{ input: monoInput, error: frame.classNames.error }}
      />
      {value === "" ? null : (
        <CloseButton aria-label={`Remove ${item.toLowerCase()} ${index + 1}`} onClick={remove} />
      )}
    </div>
  );
}

/** A list of objects, each folded under its name. */
function RowsField(spec: FieldSpec) {
  const { at: pointer, item = "" } = spec;
  const { dispatch, readOnly } = useWizard();
  const error = useFieldError(pointer, { exact: true });
  return (
    <div id={fieldId(pointer)} tabIndex={-1}>
      {error === undefined ? null : <p className={styles.error}>{error}</p>}
      {listOf(useMetadata(pointer)).map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
        <Row key={index} {...{ spec, row, index }} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={readOnly}
        onClick={() => dispatch({ type: "addRow", pointer, value: {} })}
      >
        Add {/^[aeiou]/i.test(item) ? "an" : "a"} {item.toLowerCase()}
      </Button>
    </div>
  );
}

function Row({ spec, row, index }: { spec: FieldSpec; row: JsonValue; index: number }) {
  const { at: pointer, item = "", columns = [] } = spec;
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
            <Field key={column.at} {...column} at={pointer + toJsonPointer([index]) + column.at} />
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
