import type { Finding } from "@app-registry/outbound/fill";
import { Button, TextInput } from "@mantine/core";
import type { FormEvent } from "react";

/** Reads a service again, with values for the variables of its address. */
export type OnFill = (variables: Record<string, string>) => void;

type Props = {
  variables: NonNullable<Finding["variables"]>;
  readOnly: boolean;
  onFill: OnFill;
};

/** Asks for the variables of a server's address. */
export function AddressVariables({ variables, readOnly, onFill }: Props) {
  const submit = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    const entries = [...new FormData(event.currentTarget)].filter(([, value]) => value !== "");
    onFill(Object.fromEntries(entries) as Record<string, string>);
  };
  return (
    <form className="stack" onSubmit={submit}>
      {variables.map(({ name, description, value }) => (
        <TextInput
          key={name}
          {...{ name, label: name, description, defaultValue: value, required: value === undefined }}
          {...{ spellCheck: false, autoComplete: "off" }}
        />
      ))}
      <Button type="submit" variant="default" size="compact-sm" disabled={readOnly}>
        Fill in address
      </Button>
    </form>
  );
}
