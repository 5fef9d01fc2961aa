import type { Deployment } from "@app-registry/sdk";
import { DefinitionLines } from "../../components/record/documents.tsx";

/** Lists the contracts that a verification reads, for the reader to compare with another source. */
export function ContractAddresses({ deployment }: { deployment: Deployment }) {
  const { AppRegistry, AppMetadata, ResolverWithStore } = deployment.contracts;
  return (
    <>
      <p>
        Repeat these checks in your browser with an RPC endpoint or wallet that you choose. They read the
        contracts below on chain {deployment.chainId}. Compare these addresses with a source you trust.
      </p>
      <DefinitionLines
        lines={[
          { term: "AppRegistry", value: <code>{AppRegistry.address}</code> },
          { term: "AppMetadata", value: <code>{AppMetadata.address}</code> },
          { term: "Resolver", value: <code>{ResolverWithStore.address}</code> },
        ]}
      />
      <noscript>
        <p>This check needs JavaScript.</p>
      </noscript>
    </>
  );
}
