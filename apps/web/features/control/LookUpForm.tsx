import { Button, TextInput } from "../../components/controls/controls.tsx";

/** Renders a form for a DID and, optionally, an account. */
export function LookUpForm({ did, account }: { did: string; account: string }) {
  return (
    <form action="/control" className="stack2" style={{ maxWidth: 560 }}>
      <TextInput name="did" label="DID" defaultValue={did} placeholder="did:web:example.com" required />
      <TextInput name="account" label="Account (optional)" defaultValue={account} placeholder="0x…" />
      <div>
        <Button type="submit">Check control</Button>
      </div>
    </form>
  );
}
