"use client";

import {
  type ComponentType,
  type FormEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from "react";
import { Button, Inline, LinkButton, TextInput } from "../../../components/controls/controls.tsx";

/** Texts of the field for a new service's address. */
export const addressTexts = {
  title: "From its address",
  label: "Service address",
  help: "A URL, domain, contract address or DID. You can edit everything afterwards.",
  placeholder: "https://example.com/mcp, example.com, 0x… or did:web:example.com",
};

/** Address entered before the wizard's code arrived. `isSubmitted` asks to read the service. */
export type EnteredAddress = {
  text: string;
  /** Selected part of the text if the field has the focus. */
  selection: [start: number, end: number] | undefined;
  isSubmitted: boolean;
};

let entered: EnteredAddress | undefined;

/** Returns the address that was entered before the wizard's code arrived, once. */
export function takeEnteredAddress(): EnteredAddress | undefined {
  const taken = entered;
  entered = undefined;
  return taken;
}

/**
 * Renders a component once its code has arrived, and until then what `render` returns, on the server too. Waits for the
 * end of an input method's composition, which another field could not continue.
 */
export function FirstScreen<Props extends object>({
  load,
  props,
  render,
}: {
  load: () => Promise<ComponentType<Props>>;
  props: Props;
  render: (status: ReactNode) => ReactNode;
}) {
  const [Loaded, setLoaded] = useState<ComponentType<Props>>();
  const [hasFailed, setFailed] = useState(false);
  const [isComposing, setComposing] = useState(false);
  const start = useCallback(() => {
    setFailed(false);
    load().then(
      (loaded) => setLoaded(() => loaded),
      () => setFailed(true),
    );
  }, [load]);
  useEffect(start, [start]);
  if (Loaded && !isComposing) return <Loaded {...props} />;
  return (
    <div onCompositionStart={() => setComposing(true)} onCompositionEnd={() => setComposing(false)}>
      {render(
        hasFailed ? (
          <>
            Couldn't load the form. Check your connection. <LinkButton onClick={start}>Try again</LinkButton>
          </>
        ) : (
          <span className="loading">Loading the form…</span>
        ),
      )}
    </div>
  );
}

/** Renders the field for the service's address. `SourceBox` continues with what is entered here. */
export function AddressForm({ status }: { status: ReactNode }) {
  const box = useRef<HTMLInputElement>(null);
  const [isHydrated, setHydrated] = useState(false);
  const [isSubmitted, setSubmitted] = useState(false);
  useEffect(() => setHydrated(true), []);
  useLayoutEffect(() => {
    const { current: input } = box;
    return () => {
      if (!input) return;
      const { value: text, selectionStart, selectionEnd } = input;
      const hasFocus = document.activeElement === input;
      const selection: EnteredAddress["selection"] = hasFocus
        ? [selectionStart ?? text.length, selectionEnd ?? text.length]
        : undefined;
      entered = { text, selection, isSubmitted };
    };
  }, [isSubmitted]);
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
            label={addressTexts.label}
            placeholder={addressTexts.placeholder}
            onChange={() => setSubmitted(false)}
            spellCheck={false}
            autoCapitalize="off"
            autoComplete="off"
          />
          {/* Without code, the browser would send the form. */}
          <Button type="submit" disabled={!isHydrated}>
            Find service
          </Button>
        </Inline>
      </form>
      <p className="soft small" role="status">
        {isSubmitted ? "The registry reads it as soon as the form has loaded. " : null}
        {status}
      </p>
    </section>
  );
}
