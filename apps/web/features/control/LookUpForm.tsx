import { Button, TextInput } from "../../components/controls/controls.tsx";
import styles from "./control.module.css";

/** Renders a form for a DID and, optionally, an account. */
export function LookUpForm({ did, account }: { did: string; account: string }) {
  return (
    <form action="/control" className={styles.form}>
      <TextInput name="did" label="DID" defaultValue={did} placeholder="did:web:example.com" required />
      <TextInput name="account" label="Account (optional)" defaultValue={account} placeholder="0x…" />
      <Button type="submit">Check control</Button>
    </form>
  );
}
