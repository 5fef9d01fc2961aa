import { TimeLimitError, toAppRegistryError } from "@app-registry/sdk";
import { withTimeout } from "@app-registry/server/async";
import Link from "next/link";
import { AddressText, TimeText } from "../../components/record/labels.tsx";
import { Problem } from "../../components/record/Problem.tsx";
import { LedgerSection } from "../../components/shell/shell.tsx";
import { challengeWeights, controlHref } from "../../lib/control/accountControl.ts";
import { type DidControl, issuerNames, readDidControl } from "./readControl.ts";
import { ControlAnswer, Statement, Statements } from "./statements.tsx";

type ControlSectionProps = Parameters<typeof readDidControl>[0];

/** Shows who controls the DID of a record, with attestations, blocks, challenges and reclaims. */
export function ControlSection(props: ControlSectionProps) {
  return (
    <LedgerSection title="Accounts" id="control" note="Who controls the DID now, according to issuers.">
      <DidControllers did={props.did} reading={readDidControl(props)} />
    </LedgerSection>
  );
}

/** Time that the page waits for the controllers, in milliseconds. */
const PATIENCE = 3_000;

type DidControllersProps = { did: string; reading: Promise<DidControl> };

/** Lists the accounts that control a DID, wait for control of it or are blocked, with challenges and reclaims. */
export async function DidControllers({ did, reading }: DidControllersProps) {
  const late = () => new TimeLimitError("The chain");
  const control = await withTimeout(reading, PATIENCE, late).catch((error: unknown) =>
    toAppRegistryError(error),
  );
  if (!("accounts" in control)) {
    const title = "Couldn't load who controls the DID";
    return <Problem level={3} tone="unknown" title={title} why={control.shortMessage} />;
  }
  const { accounts, more, challenges, reclaims, indexed } = control;
  return (
    <div className="stack3">
      {accounts.length === 0 ? null : <Verdict accounts={accounts} />}
      {accounts.map(({ control: account, roles }, index) => (
        <div key={account.account} className={index === 0 ? undefined : "lined"}>
          <Account did={did} roles={roles} control={account} />
        </div>
      ))}
      {accounts.length === 0 && indexed ? <p>No issuer attests that an account controls this DID.</p> : null}
      {more === 0 ? null : <p className="soft">{more} more attested accounts aren't shown.</p>}
      <Statements label="Reclaims">
        {reclaims.map(({ claimant, openedAt, finishableFrom, expiresAt }) => (
          <Statement key={claimant} word="Reclaim" account={claimant}>
            Opened <TimeText seconds={openedAt} />. The claimant can take over the record from{" "}
            <TimeText seconds={finishableFrom} /> until <TimeText seconds={expiresAt} />, unless the holder or
            minter controls the DID then, or dismisses the reclaim.
          </Statement>
        ))}
      </Statements>
      <Statements label="Challenges">
        {challenges.map((challenge) => (
          <Challenge key={challenge.challenger + challenge.incumbent} {...{ challenge, accounts }} />
        ))}
      </Statements>
      {indexed ? null : (
        <p>The search index is unavailable, so other accounts, challenges and reclaims can't be shown.</p>
      )}
    </div>
  );
}

type AccountProps = { did: string } & DidControl["accounts"][number];

function Account({ did, control, roles }: AccountProps) {
  const { account } = control;
  return (
    <section aria-label={`Account ${account}`}>
      <ControlAnswer control={control} names={issuerNames()}>
        <AddressText address={account} />
        <span className="quiet">{roles.join(" and ")}</span>
      </ControlAnswer>
      {control.controller.inCharge ? null : (
        <p style={{ paddingTop: 4 }}>
          <Link href={`${controlHref(did, account)}#block`} prefetch={false}>
            Block or unblock
          </Link>
        </p>
      )}
    </section>
  );
}

/** Says in one sentence how many accounts control a DID, are requesting control and are blocked. */
function Verdict({ accounts }: Pick<DidControl, "accounts">) {
  const others = accounts.map(({ control }) => control).filter(({ controller }) => !controller.controls);
  const controlling = accounts.length - others.length;
  const blocked = others.filter(({ block }) => block !== undefined).length;
  const requesting = others.filter(({ block, controller }) => controller.attested && block === undefined);
  const starts = requesting.flatMap(({ controller }) => controller.controlsFrom ?? []);
  const count = (amount: number) => (amount === 1 ? "One account" : `${amount} accounts`);
  return (
    <p className="strong">
      {controlling === 0
        ? "No account controls"
        : `${count(controlling)} ${controlling === 1 ? "controls" : "control"}`}{" "}
      this DID.
      {requesting.length === 0 ? null : (
        <>
          {" "}
          {count(requesting.length)} {requesting.length === 1 ? "is" : "are"} requesting control
          {starts.length === 0 ? null : (
            <>
              , from <TimeText seconds={Math.min(...starts)} /> on unless a controller acts
            </>
          )}
          .
        </>
      )}
      {blocked === 0 ? null : ` ${count(blocked)} ${blocked === 1 ? "is" : "are"} blocked.`}
    </p>
  );
}

type ChallengeProps = { challenge: DidControl["challenges"][number]; accounts: DidControl["accounts"] };

function Challenge({ challenge, accounts }: ChallengeProps) {
  const { challenger, incumbent, openedAt, resolvableFrom, expiresAt } = challenge;
  const controls = accounts.map(({ control }) => control);
  const { score, resistance } = challengeWeights(challenge, controls);
  return (
    <Statement word="Challenge" account={challenger}>
      Challenging <AddressText address={incumbent} copy={false} /> since <TimeText seconds={openedAt} />, can
      be resolved from <TimeText seconds={resolvableFrom} /> until <TimeText seconds={expiresAt} />. To win,
      the challenger needs more issuers than the challenged controller, counting only the challenger's
      attestations that had matured before the challenge. Currently {score} to {resistance}.
    </Statement>
  );
}
