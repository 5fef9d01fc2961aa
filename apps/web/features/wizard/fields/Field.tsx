"use client";

import { isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import {
  Autocomplete,
  Button,
  Checkbox,
  CloseButton,
  Input,
  NativeSelect,
  TagsInput,
  Textarea,
  TextInput,
} from "@mantine/core";
import { type ComponentType, useState } from "react";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec } from "../draft/metadataFields.ts";
import type { DraftTextField } from "../draft/screens.ts";
import { toList, toText, withArticle } from "../draft/values.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { inputLayout, monoInput, useInput } from "./inputLayout.ts";
import { JsonField } from "./JsonField.tsx";
import { PlatformsField } from "./PlatformsField.tsx";
import { resolveSuggestion, toComboboxProps, useSuggestions } from "./suggestions.tsx";

export { inputLayout, useInput };

type FieldProps = FieldSpec & {
  /** True if the record already has the value and an update can't change it. */
  fixed?: boolean;
  /** Handles the text instead of setting it in the draft. */
  onText?: (text: string) => void;
};

/** Renders one field of the form with its label, value, help and problem. */
export function Field({ fixed, onText, requiredFor = 0, ...field }: FieldProps) {
  const { draft } = useWizard();
  const spec = { ...field, required: field.required || (draft.interfaces & requiredFor) !== 0 };
  switch (spec.control) {
    case "tags":
      return <TagsField {...spec} />;
    case "json":
    case "schema":
      return <JsonField {...spec} />;
    case "urls":
    case "texts":
      return <LinesField {...spec} />;
    case "rows":
      return <RowsField {...spec} Each={Field} />;
    case "platforms":
      return <PlatformsField {...spec} Each={Field} />;
    case "check":
      return <CheckField {...spec} />;
    case "answer":
      return <AnswerField {...spec} />;
    default:
      return <TextField {...spec} {...(fixed && { fixed })} {...(onText && { onText })} />;
  }
}

/** Renders fields of the document part at `pointer`. */
export function FieldsBelow({ pointer, fields }: { pointer: string; fields: readonly FieldSpec[] }) {
  return fields.map((field) => <Field key={field.at} {...field} at={pointer + field.at} />);
}

/** Renders a text of the metadata or of the record. An empty text is omitted from the document. */
function TextField({ fixed = false, onText, ...spec }: FieldProps) {
  const { at, lines } = spec;
  const { draft, dispatch } = useWizard();
  const inMetadata = at.startsWith("/");
  const value = useMetadata(inMetadata ? at : "");
  const isMachineText = !inMetadata || spec.mono === true;
  const input = useInput({ ...spec, mono: isMachineText });
  const suggestions = useSuggestions(spec);
  const set = (text: string) => {
    if (onText) onText(text);
    else if (inMetadata) dispatch({ type: "set", pointer: at, value: text });
    else dispatch({ type: "field", field: at as DraftTextField, value: text });
  };
  const shared = {
    ...input,
    value: inMetadata ? toText(value) : draft[at as DraftTextField],
    readOnly: fixed,
    ...(isMachineText && { spellCheck: false, autoCapitalize: "off" }),
  };
  if (spec.suggestions) {
    const onChange = (text: string) => set(resolveSuggestion(suggestions, text));
    return <Autocomplete {...shared} {...toComboboxProps(suggestions)} onChange={onChange} />;
  }
  const onChange = ({ currentTarget }: { currentTarget: { value: string } }) => set(currentTarget.value);
  return lines ? (
    <Textarea {...shared} onChange={onChange} autosize minRows={lines} maxRows={12} />
  ) : (
    <TextInput {...shared} onChange={onChange} />
  );
}

/** Renders a list of short texts in the metadata. */
function TagsField(spec: FieldSpec) {
  const { dispatch } = useWizard();
  const tags = toList(useMetadata(spec.at)).map(toText);
  const set = (next: string[]) =>
    dispatch({ type: "set", pointer: spec.at, value: next.length === 0 ? undefined : next });
  return <Tags {...spec} tags={tags} onTags={set} />;
}

type TagsProps = FieldSpec & { tags: string[]; onTags: (next: string[]) => void };

/** Renders a list of short texts, each ended by a comma, space or Enter. */
export function Tags({ tags, onTags, ...spec }: TagsProps) {
  const suggestions = useSuggestions(spec);
  const input = useInput(spec);
  const names = tags.flatMap((tag) => suggestions.nameOf(tag) ?? []);
  return (
    <TagsInput
      {...input}
      {...(spec.suggestions && toComboboxProps(suggestions))}
      description={names.length === 0 ? input.description : `${names.join(", ")}. ${spec.help ?? ""}`}
      placeholder={tags.length === 0 ? spec.placeholder : undefined}
      value={tags}
      onChange={(next) => onTags(next.map((tag) => resolveSuggestion(suggestions, tag)))}
      // Do not split at spaces: names of chains may contain them.
      splitChars={spec.suggestions || spec.phrases ? [",", "\n"] : [",", " ", "\n"]}
      acceptValueOnBlur
      classNames={{ ...input.classNames, inputField: styles.tagInput ?? "" }}
    />
  );
}

/** Renders a checkbox. The default value is omitted from the document. */
function CheckField({ at, label, help, isDefault = false }: FieldSpec) {
  const { dispatch, readOnly } = useWizard();
  return (
    <Checkbox
      id={fieldId(at)}
      {...{ label, description: help, error: useFieldError(at), disabled: readOnly }}
      checked={(useMetadata(at) ?? isDefault) === true}
      onChange={({ currentTarget: { checked } }) =>
        dispatch({ type: "set", pointer: at, value: checked === isDefault ? undefined : checked })
      }
      classNames={{ description: styles.description ?? "", error: styles.error ?? "" }}
    />
  );
}

/** Renders a choice of true, false or unset. */
function AnswerField(spec: FieldSpec) {
  const { dispatch } = useWizard();
  const { placeholder: _, ...input } = useInput(spec);
  const value = useMetadata(spec.at);
  const [whenTrue, whenFalse] = spec.answers ?? ["Yes", "No"];
  const set = (text: string) =>
    dispatch({ type: "set", pointer: spec.at, value: text === "" ? undefined : text === "true" });
  return (
    <NativeSelect
      {...input}
      value={value === undefined ? "" : String(value)}
      onChange={({ currentTarget }) => set(currentTarget.value)}
      data={[
        { value: "", label: "Not specified" },
        { value: "true", label: whenTrue },
        { value: "false", label: whenFalse },
      ]}
    />
  );
}

/** Renders a list of URLs or texts, one per line. An empty list shows one empty line. */
function LinesField(spec: FieldSpec) {
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

/** Props of a list of rows. `Each` renders one field of a row. */
type RowsProps = FieldSpec & { Each: ComponentType<FieldSpec> };

/** Renders a list of objects, each folded under its name. */
function RowsField(spec: RowsProps) {
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
