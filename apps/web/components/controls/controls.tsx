import { type ComponentProps, type CSSProperties, type ReactNode, useId } from "react";
import styles from "./controls.module.css";

/*
 * The controls of the pages that only read: plain elements, drawn by the server. The pages with a wallet use the
 * component library, whose code would be most of what a reader loads.
 */

type ButtonProps = ComponentProps<"button"> & { variant?: "default" | "filled"; size?: "md" | "lg" };

/** A button: filled for the action of a form, outlined for others. */
export function Button({ variant = "filled", size = "md", type = "button", ...rest }: ButtonProps) {
  return <button className={styles.button} data-variant={variant} data-size={size} type={type} {...rest} />;
}

/** Of a link that looks like an outlined button. */
export const buttonLink = styles.button;

/** A button that looks like a link. */
export function LinkButton({ type = "button", ...rest }: ComponentProps<"button">) {
  return <button className={styles.link} type={type} {...rest} />;
}

/** Puts parts beside each other, 8 pixels apart. */
export function Inline({ align = "end", maxWidth, children }: BesideProps) {
  return (
    <div className={styles.beside} style={{ alignItems: align, maxWidth }}>
      {children}
    </div>
  );
}

type BesideProps = { align?: CSSProperties["alignItems"]; maxWidth?: number; children: ReactNode };

type FieldProps = { label?: string | undefined };

/** A field of one line, with its label above it. */
export function TextInput({
  label,
  size = "md",
  ...rest
}: FieldProps & Omit<ComponentProps<"input">, "size"> & { size?: "md" | "lg" }) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Label htmlFor={id} label={label} required={rest.required} />
      <input id={id} className={styles.input} data-size={size} {...rest} />
    </div>
  );
}

type SelectProps = FieldProps & ComponentProps<"select"> & { data: { value: string; label: string }[] };

/** A choice of one, with its label above it. */
export function NativeSelect({ label, data, ...rest }: SelectProps) {
  const id = useId();
  return (
    <div className={styles.field}>
      <Label htmlFor={id} label={label} />
      <select id={id} className={styles.input} {...rest}>
        {data.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** A box to tick, with its label beside it. */
export function Checkbox({ label, ...rest }: { label: string } & ComponentProps<"input">) {
  return (
    <label className={styles.checkbox}>
      <input type="checkbox" {...rest} />
      {label}
    </label>
  );
}

type LabelProps = { htmlFor: string; label: string | undefined; required?: boolean | undefined };

function Label({ htmlFor, label, required }: LabelProps) {
  if (label === undefined) return null;
  return (
    <label className={styles.label} htmlFor={htmlFor}>
      {label}
      {required ? <span aria-hidden="true"> *</span> : null}
    </label>
  );
}

/** The shape of text that is still awaited. */
export function Skeleton({
  circle = false,
  height,
  width,
}: {
  circle?: boolean;
  height: number;
  width?: string;
}) {
  return (
    <span
      className={styles.skeleton}
      style={{ height, width: circle ? height : width, borderRadius: circle ? "50%" : undefined }}
    />
  );
}
