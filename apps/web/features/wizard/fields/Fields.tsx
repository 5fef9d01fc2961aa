import { isJsonObject, type JsonValue, toJsonPointer } from "@app-registry/sdk";
import { Autocomplete, Button, CloseButton, Input, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Inline } from "../../../components/controls/controls.tsx";
import { QuietButton } from "../../wallet/WalletBar.tsx";
import type { FieldSpec, GroupSpec } from "../draft/fields.ts";
import { toList, toText } from "../draft/pointer.ts";
import { fieldId } from "../draft/screens.ts";
import { useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import {
  AnswerField,
  CheckField,
  dropdown,
  inputLayout,
  JsonField,
  monoInput,
  TagsField,
  TextField,
  type TextFieldProps,
  TraitsField,
} from "./inputs.tsx";

/** Renders one field of the form with its label, value, help and problem. */
export function Field({ fixed, onText, requiredFor = 0, ...field }: TextFieldProps) {
  const { draft } = useWizard();
  const spec = { ...field, required: field.required || (draft.interfaces & requiredFor) !== 0 };
  switch (spec.control) {
    case "tags":
      return <TagsField {...spec} />;
    case "traits":
      return <TraitsField {...spec} />;
    case "json":
    case "schema":
      return <JsonField {...spec} />;
    case "urls":
    case "texts":
      return <LinesField {...spec} />;
    case "rows":
      return <RowsField {...spec} />;
    case "platforms":
      return <PlatformsField {...spec} />;
    case "check":
      return <CheckField {...spec} />;
    case "answer":
      return <AnswerField {...spec} />;
    default:
      return <TextField {...spec} {...(fixed && { fixed })} {...(onText && { onText })} />;
  }
}

/** Renders fields and their groups, of the document part at a pointer. */
export function Fields({ at = "", fields }: { at?: string; fields: readonly (FieldSpec | GroupSpec)[] }) {
  return fields.map((part) =>
    "fields" in part ? (
      <Group key={part.title} title={part.title} help={part.help}>
        <Fields at={at} fields={part.fields} />
      </Group>
    ) : (
      <Field key={part.at} {...part} at={at + part.at} />
    ),
  );
}

type GroupProps = {
  title: string;
  help?: ReactNode;
  children: ReactNode;
  action?: ReactNode;
  /** Name of the parent, if a screen has several groups with this title. */
  of?: string | undefined;
};

/** Renders related fields under one heading. */
export function Group({ title, help, children, action, of }: GroupProps) {
  return (
    <section className="stack2 lined" aria-label={of === undefined ? title : `${title}, ${of}`}>
      <header>
        <div className="row apart">
          <h3>{title}</h3>
          {action}
        </div>
        {help === undefined ? null : <p className="small soft prose">{help}</p>}
      </header>
      {children}
    </section>
  );
}

type PlaceProps = { at: string; className?: string; children: ReactNode };

/** Renders a part of the metadata that problems link to, below its own problem. */
export function Place({ at, className, children }: PlaceProps) {
  const error = useFieldError(at, { exact: true });
  return (
    <div id={fieldId(at)} tabIndex={-1} className={className}>
      {error === undefined ? null : <p className="error">{error}</p>}
      {children}
    </div>
  );
}

/**
 * Returns the value of a metadata part, its JSON editor if it is open or if the value doesn't fit the form, and the
 * button that toggles the editor.
 */
export function useJsonEditor(at: string, label: string, fits: (value: JsonValue) => boolean) {
  const { draft } = useWizard();
  const value = useMetadata(at);
  // Open the editor if its text does not parse yet, so that the user sees it.
  const [isChosen, setChosen] = useState(draft.texts[at] !== undefined);
  const isFit = value === undefined || fits(value);
  return {
    value,
    editor:
      isChosen || !isFit ? <JsonField at={at} label={`${label} as JSON`} lines={isFit ? 8 : 4} /> : undefined,
    toggle: isFit ? (
      <QuietButton onClick={() => setChosen(!isChosen)}>
        {isChosen ? "Edit in the form" : "Edit as JSON"}
      </QuietButton>
    ) : null,
  };
}

/** Prefixes an item with its article: "a tool", "an endpoint". */
const withArticle = (item: string): string =>
  `${/^[aeiou]/i.test(item) ? "an" : "a"} ${/^[A-Z]{2}/.test(item) ? item : item.charAt(0).toLowerCase() + item.slice(1)}`;

/** Renders a list of URLs or texts, one per line. An empty list shows one empty line. */
function LinesField(spec: FieldSpec) {
  const { at: pointer, label, item = "", help, required = false } = spec;
  const { dispatch } = useWizard();
  const error = useFieldError(pointer, { exact: true });
  const rows = toList(useMetadata(pointer));
  const shown = rows.length === 0 ? [""] : rows;
  const set = (value: JsonValue[]) => dispatch({ type: "set", pointer, value });
  return (
    <Input.Wrapper
      id={fieldId(pointer)}
      labelElement="div"
      {...{ label, error, ...inputLayout }}
      description={help}
      withAsterisk={required}
    >
      <div className="stack">
        {shown.map((row, index) => (
          <Line
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
            key={index}
            {...{ spec, index, value: toText(row) }}
            onText={(text) => set(shown.with(index, text))}
          />
        ))}
        {rows.length > 0 ? (
          <div>
            <QuietButton onClick={() => set([...rows, ""])}>Add {withArticle(item)}</QuietButton>
          </div>
        ) : null}
      </div>
    </Input.Wrapper>
  );
}

type LineProps = { spec: FieldSpec; index: number; value: string; onText: (text: string) => void };

function Line({ spec, index, value, onText }: LineProps) {
  const { at: pointer, item = "", placeholder, control } = spec;
  const { dispatch, touch, readOnly } = useWizard();
  const at = pointer + toJsonPointer([index]);
  const error = useFieldError(at);
  const isUrl = control === "urls";
  const remove = () => dispatch({ type: "removeRow", pointer, index });
  return (
    <Inline align="start">
      <TextInput
        className="grow"
        id={fieldId(at)}
        aria-label={`${item} ${index + 1}${isUrl ? " URL" : ""}`}
        {...{ placeholder, value, error }}
        disabled={readOnly}
        onBlur={() => {
          touch(at);
          if (value === "") remove();
        }}
        onChange={(event) => onText(event.currentTarget.value)}
        {...(isUrl && { classNames: { input: monoInput } })}
      />
      {value === "" ? null : (
        <CloseButton aria-label={`Remove ${item.toLowerCase()} ${index + 1}`} onClick={remove} />
      )}
    </Inline>
  );
}

function RowsField(spec: FieldSpec) {
  const { at: pointer, item = "" } = spec;
  const { dispatch, readOnly } = useWizard();
  const rows = toList(useMetadata(pointer));
  return (
    <Place at={pointer}>
      {rows.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place in the list
        <Row key={index} {...{ spec, row, index }} />
      ))}
      <Button
        variant="default"
        size="compact-sm"
        disabled={readOnly}
        onClick={() => dispatch({ type: "set", pointer, value: [...rows, {}] })}
      >
        Add {withArticle(item)}
      </Button>
    </Place>
  );
}

function Row({ spec, row, index }: { spec: FieldSpec; row: JsonValue; index: number }) {
  const { at: pointer, item = "", columns = [] } = spec;
  const { dispatch, readOnly } = useWizard();
  const values = isJsonObject(row) ? row : {};
  const [open, setOpen] = useState(Object.keys(values).length === 0);
  const name = values[columns[0]?.at.slice(1) ?? ""];
  return (
    <details
      className="part lined anywhere"
      open={open}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{typeof name === "string" && name !== "" ? name : `${item} ${index + 1}`}</summary>
      {open ? (
        <div className="stack2" style={{ padding: "8px 0 16px 16px" }}>
          <Fields at={pointer + toJsonPointer([index])} fields={columns} />
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

const platformNames: Record<string, string> = {
  ...{ web: "Web", ios: "iOS", android: "Android", macos: "macOS", windows: "Windows", linux: "Linux" },
};

const downloads: Record<string, string> = {
  ios: "https://apps.apple.com/app/…",
  android: "https://play.google.com/store/apps/…",
};

/** Returns the fields of a platform. A website has a URL and no download. */
function platformFields(key: string, columns: readonly FieldSpec[]): FieldSpec[] {
  const fields = key === "web" ? columns.filter(({ at }) => at === "/launchUrl") : columns;
  return fields.map((field) => ({
    ...field,
    label: `${platformNames[key] ?? key}: ${field.label}`,
    ...(field.at === "/downloadUrl" && downloads[key] && { placeholder: downloads[key] }),
  }));
}

/** Returns the key of an entered platform name, or `undefined` if the text can't be a key. */
function toKey(typed: string): string | undefined {
  const text = typed.trim();
  const known = Object.keys(platformNames).find(
    (key) => platformNames[key]?.toLowerCase() === text.toLowerCase(),
  );
  return known ?? (/^[a-z][\w .-]{0,60}$/i.test(text) ? text : undefined);
}

function PlatformsField({ at, label, columns = [] }: FieldSpec) {
  const { dispatch } = useWizard();
  const { value, editor, toggle } = useJsonEditor(at, label, isJsonObject);
  const platforms = isJsonObject(value) ? value : {};
  const keys = Object.keys(platforms);
  // Keep platforms without a URL visible, although the document omits them.
  const [opened, setOpened] = useState(keys.length === 0 ? ["web"] : keys);
  const shown = [...new Set([...opened, ...keys])];
  const remove = (key: string) => {
    setOpened(shown.filter((other) => other !== key));
    dispatch({ type: "set", pointer: at + toJsonPointer([key]), value: undefined });
  };
  const fields = shown.map((key) => {
    const name = platformNames[key] ?? key;
    const pointer = at + toJsonPointer([key]);
    const isOdd = platforms[key] !== undefined && !isJsonObject(platforms[key]);
    return (
      <section key={key} className="stack2 lined" aria-label={name}>
        <header className="row apart">
          <h4>{name}</h4>
          <QuietButton onClick={() => remove(key)}>Remove {name}</QuietButton>
        </header>
        {isOdd ? (
          <JsonField at={pointer} label={`${key} as JSON`} />
        ) : (
          <Fields at={pointer} fields={platformFields(key, columns)} />
        )}
      </section>
    );
  });
  return (
    <Place at={at} className="stack2">
      {editor ?? (
        <>
          {fields}
          <AddPlatform shown={shown} onAdd={(key) => setOpened([...shown, key])} />
        </>
      )}
      <div>{toggle}</div>
    </Place>
  );
}

function AddPlatform({ shown, onAdd }: { shown: string[]; onAdd: (key: string) => void }) {
  const { readOnly } = useWizard();
  const [text, setText] = useState("");
  const key = toKey(text);
  const added = key === undefined || shown.includes(key) ? undefined : key;
  return (
    <form
      className="bar"
      style={{ alignItems: "end" }}
      onSubmit={(event) => {
        event.preventDefault();
        if (added === undefined) return;
        onAdd(added);
        setText("");
      }}
    >
      <Autocomplete
        label="Another platform"
        placeholder="For example iOS"
        value={text}
        onChange={setText}
        data={Object.entries(platformNames).flatMap(([other, name]) => (shown.includes(other) ? [] : [name]))}
        disabled={readOnly}
        {...dropdown}
        className="grow"
      />
      <Button type="submit" variant="default" disabled={readOnly || added === undefined}>
        Add platform
      </Button>
    </form>
  );
}
