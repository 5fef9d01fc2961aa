import { type ComponentProps, type CSSProperties, type ReactNode, useId } from "react";

/* Controls of the pages that only read: plain elements, rendered by the server. The pages with a wallet use the
   component library, whose code would be most of the page's download. */

type ButtonProps = ComponentProps<"button"> & { variant?: "default" | "filled"; size?: "md" | "lg" };

/** Renders a button: filled for a form's main action, outlined for others. */
export function Button({ variant = "filled", size = "md", type = "button", ...rest }: ButtonProps) {
  return <button className="button" data-variant={variant} data-size={size} type={type} {...rest} />;
}

/** Class of a link that looks like an outlined button. */
export const buttonLink = "button";

/** Renders a button that looks like a link. */
export function LinkButton({ type = "button", ...rest }: ComponentProps<"button">) {
  return <button className="bare link" type={type} {...rest} />;
}

/** Places parts side by side, 8 pixels apart. */
export function Inline({ align = "end", maxWidth, children }: BesideProps) {
  return <div style={{ display: "flex", gap: 8, alignItems: align, maxWidth }}>{children}</div>;
}

type BesideProps = { align?: CSSProperties["alignItems"]; maxWidth?: number; children: ReactNode };

type FieldProps = { label?: string | undefined };

/** Renders a single-line field with its label above. */
export function TextInput({
  label,
  size = "md",
  ...rest
}: FieldProps & Omit<ComponentProps<"input">, "size"> & { size?: "md" | "lg" }) {
  const id = useId();
  return (
    <div className="grow">
      <Label htmlFor={id} label={label} required={rest.required} />
      <input id={id} className="input" data-size={size} {...rest} />
    </div>
  );
}

type SelectProps = FieldProps & ComponentProps<"select"> & { data: { value: string; label: string }[] };

/** Renders a select box with its label above. */
export function NativeSelect({ label, data, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className="grow">
      <Label htmlFor={id} label={label} />
      <select id={id} className="input" {...rest}>
        {data.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** Renders a checkbox with its label beside it. */
export function Checkbox({ label, ...rest }: { label: string } & ComponentProps<"input">) {
  return (
    <label className="bar" style={{ flexWrap: "nowrap", minHeight: 40, paddingRight: 8 }}>
      <input
        type="checkbox"
        style={{ flex: "none", width: 20, height: 20, accentColor: "var(--accent)" }}
        {...rest}
      />
      {label}
    </label>
  );
}

type LabelProps = { htmlFor: string; label: string | undefined; required?: boolean | undefined };

function Label({ htmlFor, label, required }: LabelProps) {
  if (label === undefined) return null;
  return (
    <label className="label" htmlFor={htmlFor}>
      {label}
      {required ? <span aria-hidden="true"> *</span> : null}
    </label>
  );
}
