import type { Deployment } from "@app-registry/sdk";
import { DefinitionLines } from "../../components/record/documents.tsx";

/** The contracts that a verification asks, for the reader to compare with a source of their own. */
export function ContractAddresses({ deployment }: { deployment: Deployment }) {
  const { AppRegistry, AppMetadata, ResolverWithStore } = deployment.contracts;
  return (
    <>
      <p>
        Your browser repeats these checks with an RPC endpoint or a wallet of your choice. It asks the
        contracts below on chain {deployment.chainId}: compare their addresses with a source that you trust.
      </p>
      <DefinitionLines
        lines={[
          { term: "AppRegistry", value: <code>{AppRegistry.address}</code> },
          { term: "AppMetadata", value: <code>{AppMetadata.address}</code> },
          { term: "Resolver", value: <code>{ResolverWithStore.address}</code> },
        ]}
      />
      <noscript>
        <p>This needs JavaScript.</p>
      </noscript>
    </>
  );
}
