"use client";

import {
  type ComponentType,
  type FormEvent,
  type ReactNode,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, Inline, TextInput } from "../../../components/controls/controls.tsx";

/** Texts of the field for a new service's address. */
export const addressTexts = {
  title: "Service address",
  help: "Enter a URL, domain, contract address or DID. We read it and fill in the form. You can edit everything afterwards.",
  placeholder: "https://example.com/mcp, example.com, 0x… or did:web:example.com",
};

/** Address entered before the wizard's code arrived. `isSubmitted` asks to read the service. */
type EnteredAddress = { text: string; hasFocus: boolean; isSubmitted: boolean };

let entered: EnteredAddress | undefined;

/** Returns the address that was entered before the wizard's code arrived, once. */
export function takeEnteredAddress(): EnteredAddress | undefined {
  const taken = entered;
  entered = undefined;
  return taken;
}

/** Renders a component once its code has arrived, and `children` until then. The server renders `children`. */
export function FirstScreen<Props extends object>({
  load,
  props,
  children,
}: {
  load: () => Promise<ComponentType<Props>>;
  props: Props;
  children: ReactNode;
}) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  useEffect(() => {
    load().then(
      (loaded) => setLoaded(() => loaded),
      // Throw while rendering, for the error page.
      (error) =>
        setLoaded(() => {
          throw error;
        }),
    );
  }, [load]);
  return Loaded ? <Loaded {...props} /> : children;
}

/** Renders the field for the service's address. `SourceBox` continues with what is entered here. */
export function AddressForm() {
  const box = useRef<HTMLInputElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  useEffect(() => setHydrated(true), []);
  useLayoutEffect(() => {
    const { current: input } = box;
    return () => {
      if (!input) return;
      const hasFocus = document.activeElement === input;
      entered = { text: input.value, hasFocus, isSubmitted: input.readOnly };
    };
  }, []);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (box.current?.value.trim()) setSubmitted(true);
  };
  return (
    <section className="stack2" aria-label={addressTexts.title}>
      <h2>{addressTexts.title}</h2>
      <p className="small soft prose">{addressTexts.help}</p>
      <form onSubmit={submit}>
        <Inline maxWidth={720}>
          <TextInput
            ref={box}
            label={addressTexts.title}
            placeholder={addressTexts.placeholder}
            readOnly={isSubmitted}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
          {/* Without code, the browser would send the form. */}
          <Button type="submit" disabled={!isHydrated || isSubmitted}>
            Find service
          </Button>
        </Inline>
      </form>
      <p className="soft small" role="status">
        {isSubmitted ? "The registry reads it as soon as the form has loaded…" : "Loading the form…"}
      </p>
    </section>
  );
}
