"use client";

import dynamic from "next/dynamic";
import type { ComponentProps } from "react";

// The wallet, and what was typed, live in the browser alone.
const MyServices = dynamic(() => import("./my/MyServices.tsx").then((module) => module.MyServices), {
  ssr: false,
  loading: () => <p className="soft">Connecting to your wallet…</p>,
});
const Registration = dynamic(
  () => import("./wizard/Registration.tsx").then((module) => module.Registration),
  {
    ssr: false,
    loading: () => <p className="soft">Loading the form…</p>,
  },
);
const AccountControlView = dynamic(
  () => import("./control/AccountControlView.tsx").then((module) => module.AccountControlView),
  { ssr: false, loading: () => <p>Checking the chain…</p> },
);

/** The services of the connected wallet. */
export function MyPage(props: ComponentProps<typeof MyServices>) {
  return (
    <div className="stack2">
      <h1>My services</h1>
      <noscript>This page needs JavaScript to work with your wallet.</noscript>
      <MyServices {...props} />
    </div>
  );
}

/** The wizard, for a new service or a new version of one. */
export function RegisterPage(props: ComponentProps<typeof Registration>) {
  return (
    <div className="stack2">
      <h1>{props.existing ? "Publish a new version" : "Register a service"}</h1>
      <noscript>The form needs JavaScript to work with your wallet.</noscript>
      <Registration {...props} />
    </div>
  );
}

/** One account's control of a DID. */
export function ControlPage(props: ComponentProps<typeof AccountControlView>) {
  return (
    <div className="stack3">
      <h1>Control of a DID</h1>
      <noscript>This page needs JavaScript to read the chain from your browser.</noscript>
      <AccountControlView {...props} />
    </div>
  );
}
