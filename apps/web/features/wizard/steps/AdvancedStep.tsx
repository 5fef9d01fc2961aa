import {
  formatFee,
  getContractId,
  HashAlgorithm,
  Interfaces,
  MAX_STORED_METADATA_SIZE,
  parseDid,
} from "@app-registry/sdk";
import { Button } from "@mantine/core";
import { HashText } from "../../../components/record/labels.tsx";
import { StatusMark } from "../../../components/record/Problem.tsx";
import { useRegistryClient } from "../../wallet/useRegistryClient.ts";
import { saveFile } from "../draft/draftFile.ts";
import { getMetadataField } from "../draft/fields.ts";
import { Field, Group } from "../fields/Fields.tsx";
import { Choice } from "../fields/inputs.tsx";
import { useStorageCost } from "../review/Funds.tsx";
import { useWizard } from "../WizardContext.tsx";

/** Renders the settings for hashing and storage, and the ids that other programs use for the service. */
export default function AdvancedStep() {
  const { dataHash } = useWizard().publication;
  return (
    <>
      <Choice
        at="algorithm"
        label="Hash algorithm"
        choices={[
          { value: HashAlgorithm.keccak256, label: "keccak256", description: "Native to the chain." },
          {
            value: HashAlgorithm.sha256,
            label: "sha256",
            description: "Supported by most tools outside the chain.",
          },
        ]}
      />
      {dataHash ? (
        <p className="bar anywhere">
          <span className="soft small">dataHash</span> <HashText hash={dataHash} label="dataHash" />
        </p>
      ) : null}
      <Storage />
      <Ids />
      <Field {...getMetadataField("probe")} control="check" />
    </>
  );
}

/** Renders the choice between the chain and the publisher's host, with the cost of each for a large document. */
export function Storage() {
  const { draft, publication } = useWizard();
  const { publicClient } = useRegistryClient();
  const cost = useStorageCost();
  const price = (wei: bigint | undefined) =>
    wei === undefined ? "" : ` Publishing costs about ${formatFee(wei, publicClient.chain?.nativeCurrency)}.`;
  return (
    <>
      <Choice
        at="storage"
        label="Metadata storage"
        choices={[
          {
            value: "chain",
            label: "On the chain",
            description: `Permanent and immutable. Costs gas per byte: ${publication.size.toLocaleString("en")} of ${MAX_STORED_METADATA_SIZE.toLocaleString("en")} bytes used.${price(cost?.chain)}`,
          },
          {
            value: "url",
            label: "At my own URL",
            description: `Only the hash is on the chain. You must keep serving the exact document at that URL.${price(cost?.hash)}`,
          },
        ]}
      />
      <Field
        at="dataUrl"
        label="Data URL"
        required={draft.storage === "url" && publication.dataUrl === undefined}
        placeholder={publication.dataUrl ?? "https://example.com/service.json"}
        help={
          draft.storage === "url"
            ? "The URL that serves the JSON."
            : "Leave empty to keep the record's current URL. New records use this registry's URL, which serves every version from the chain."
        }
      />
      <ServedJson />
    </>
  );
}

/** Offers the JSON to upload and a check of the data URL, where the draft needs them. */
function ServedJson() {
  const { draft, publication, dataUrlCheck } = useWizard();
  const { question, canonical } = publication;
  const { data: answer, isFetching, refetch } = dataUrlCheck;
  if (draft.storage === "chain" && question === undefined) return null;
  return (
    <Group
      title="JSON at your URL"
      help="Upload this exact file, then check that your URL serves it. If you change the form later, upload the file again."
    >
      <div className="bar">
        <Button
          variant="default"
          disabled={canonical === undefined}
          onClick={() => canonical && saveFile("metadata.json", canonical)}
        >
          Download JSON
        </Button>
        <Button
          variant="default"
          disabled={question === undefined}
          loading={isFetching}
          onClick={() => void refetch()}
        >
          Check URL
        </Button>
      </div>
      <p role="status" className="small">
        {isFetching ? (
          `Checking ${question?.url}…`
        ) : answer ? (
          <>
            <StatusMark outcome={answer.ok ? "pass" : "fail"} />{" "}
            {answer.ok ? "Your URL serves this JSON." : answer.reason}
          </>
        ) : (
          "Not checked yet."
        )}
      </p>
    </Group>
  );
}

/** Renders the CAIP ids. The contract's id follows from its DID, so most users leave it empty. */
function Ids() {
  const { did, draft, registered } = useWizard();
  const fixed = registered?.record !== undefined;
  const derived = did === undefined ? undefined : getContractId(parseDid(did));
  return (
    <Group title="Identifiers" help="Optional ids that other tools use. Derived from the DID where possible.">
      {(draft.interfaces & Interfaces.Contract) === 0 ? null : (
        <Field
          at="contractId"
          label="Contract id"
          placeholder={derived ?? "eip155:1:0x…"}
          fixed={fixed}
          help={
            derived === undefined
              ? "The contract's chain and address (CAIP-10), derived from the DID."
              : "The contract's chain and address (CAIP-10). Leave empty to derive it from the DID, as shown."
          }
        />
      )}
      <Field
        at="fungibleTokenId"
        label="Service token"
        placeholder="eip155:1/erc20:0x…"
        fixed={fixed}
        help="CAIP-19 id of the service's own token, if it has one. Optional. You can't change it later."
      />
    </Group>
  );
}
