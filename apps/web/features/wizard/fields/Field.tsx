"use client";

import { Autocomplete, Checkbox, NativeSelect, TagsInput, Textarea, TextInput } from "@mantine/core";
import type { FieldSpec } from "../draft/metadataFields.ts";
import type { DraftTextField } from "../draft/screens.ts";
import { toList, toText } from "../draft/values.ts";
import { fieldId, useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import styles from "./fields.module.css";
import { inputLayout, useInput } from "./inputLayout.ts";
import { JsonField } from "./JsonField.tsx";
import { LinesField } from "./LinesField.tsx";
import { PlatformsField } from "./PlatformsField.tsx";
import { RowsField } from "./RowsField.tsx";
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
