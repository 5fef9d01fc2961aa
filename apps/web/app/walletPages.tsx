"use client";

import dynamic from "next/dynamic";
import type { ComponentProps } from "react";
import { AddressForm, FirstScreen } from "../features/wizard/source/FirstScreen.tsx";

// Render only in the browser, which has the wallet and the saved draft.
const MyServices = dynamic(
  () => import("../features/my/MyServices.tsx").then((module) => module.MyServices),
  {
    ssr: false,
    loading: () => <p className="soft loading">Connecting to your wallet…</p>,
  },
);
const loadRegistration = () =>
  import("../features/wizard/Registration.tsx").then((module) => module.Registration);
const AccountControlView = dynamic(
  () => import("../features/control/AccountControlView.tsx").then((module) => module.AccountControlView),
  { ssr: false, loading: () => <p className="loading">Checking the chain…</p> },
);

/** Shows the services of the connected wallet. */
export function MyPage(props: ComponentProps<typeof MyServices>) {
  return (
    <div className="stack2">
      <h1>My services</h1>
      <noscript>This page needs JavaScript to work with your wallet.</noscript>
      <MyServices {...props} />
    </div>
  );
}

/** Shows the wizard for a new service or a new version. */
export function RegisterPage(props: ComponentProps<Awaited<ReturnType<typeof loadRegistration>>>) {
  return (
    <div className="stack2">
      <h1>{props.existing ? "Publish a new version" : "Register a service"}</h1>
      <noscript>The form needs JavaScript to work with your wallet.</noscript>
      <FirstScreen
        load={loadRegistration}
        props={props}
        render={(status) =>
          props.existing ? <p className="soft">{status}</p> : <AddressForm status={status} />
        }
      />
    </div>
  );
}

/** Shows one account's control of a DID. */
export function ControlPage(props: ComponentProps<typeof AccountControlView>) {
  return (
    <div className="stack2">
      <h1>Control of a DID</h1>
      <noscript>This page needs JavaScript to read the chain from your browser.</noscript>
      <AccountControlView {...props} />
    </div>
  );
}
