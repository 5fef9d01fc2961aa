"use client";

import { NativeSelect } from "@mantine/core";
import { useRef, useState } from "react";
import { isJsonObject, type JsonValue, pointerOf } from "../draft/pointer.ts";
import { JsonField } from "../fields/JsonField.tsx";
import { frame, MetadataText } from "../fields/MetadataText.tsx";
import { TagsField } from "../fields/TagsField.tsx";
import { useFieldError, useMetadata, useWizard } from "../WizardContext.tsx";
import { Group } from "./StepFrame.tsx";

const kinds = [
  { value: "none", label: "None, or not declared" },
  { value: "oauth2", label: "OAuth 2" },
  { value: "blockchain", label: "Holding a token on a chain" },
  { value: "methods", label: "A list of methods (agents)" },
  { value: "json", label: "Something else, as JSON" },
];

function kindOf(value: JsonValue | undefined): string {
  if (value === undefined) return "none";
  if (!isJsonObject(value)) return "json";
  const known = ["oauth2", "blockchain", "methods"].filter((key) => key in value);
  return known.length === 1 ? (known[0] ?? "json") : "json";
}

/** How callers authenticate to an endpoint. */
export function AuthenticationFields({ index }: { index: number }) {
  const { dispatch, readOnly } = useWizard();
  const pointer = pointerOf("endpoints", index, "authentication");
  const value = useMetadata(pointer);
  const error = useFieldError(pointer, { exact: true });
  const [chosen, setChosen] = useState(() => kindOf(value));
  // What the document says counts; the choice only matters while nothing is filled in.
  const kind = value === undefined || chosen === "json" ? chosen : kindOf(value);
  const at = (...tokens: string[]) => pointer + pointerOf(...tokens);
  // What was filled in for one kind comes back with it.
  const kept = useRef<Record<string, JsonValue>>({});
  const choose = (next: string) => {
    setChosen(next);
    if (next === "json" || kindOf(value) === next) return;
    if (value !== undefined) kept.current[kindOf(value)] = value;
    dispatch({ type: "set", pointer, value: kept.current[next] });
  };
  return (
    <Group
      title="Authentication"
      help="How callers show who they are. It declares, it does not store any secret."
    >
      <NativeSelect
        label="Authentication"
        value={kind}
        error={error}
        disabled={readOnly}
        onChange={(event) => choose(event.currentTarget.value)}
        data={kinds}
        classNames={frame}
      />
      {kind === "oauth2" ? (
        <>
          <MetadataText pointer={at("oauth2", "authorizationUrl")} label="Authorization URL" required mono />
          <MetadataText pointer={at("oauth2", "tokenUrl")} label="Token URL" required mono />
          <TagsField pointer={at("oauth2", "scopes")} label="Scopes" help="Optional." />
        </>
      ) : null}
      {kind === "blockchain" ? (
        <>
          <MetadataText
            pointer={at("blockchain", "chainId")}
            label="Chain id"
            required
            mono
            placeholder="eip155:1"
          />
          <MetadataText
            pointer={at("blockchain", "contractAddress")}
            label="Contract address"
            required
            mono
          />
          <MetadataText pointer={at("blockchain", "requiredNFT")} label="Required NFT" mono />
        </>
      ) : null}
      {kind === "methods" ? (
        <>
          <TagsField pointer={at("methods")} label="Methods" placeholder="jwt" />
          <MetadataText pointer={at("jwksUrl")} label="JWKS URL" mono />
          <MetadataText pointer={at("issuer")} label="Issuer" mono />
        </>
      ) : null}
      {kind === "json" ? <JsonField pointer={pointer} label="Authentication as JSON" /> : null}
    </Group>
  );
}
