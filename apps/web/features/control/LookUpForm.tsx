import { Button, TextInput } from "../../components/controls/controls.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import styles from "./control.module.css";

interface LookUpFormProps {
  did: string;
  account: string;
  /** Problem with the input, if any. */
  problem: string | undefined;
}

/** Renders a form for a DID and an account. */
export function LookUpForm({ did, account, problem }: LookUpFormProps) {
  return (
    <div className="stack3">
      <h1>Check control of a DID</h1>
      <p>
        See which issuers attest that an account controls a DID, whether the account is blocked, and when its
        control takes effect.
      </p>
      {problem === undefined ? null : <Problem title="Enter a DID and an account" why={problem} />}
      <form action="/control" className={styles.form}>
        <TextInput name="did" label="DID" defaultValue={did} placeholder="did:web:example.com" required />
        <TextInput name="account" label="Account" defaultValue={account} placeholder="0x…" required />
        <Button type="submit">Check control</Button>
      </form>
    </div>
  );
}
