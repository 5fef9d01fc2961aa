"use client";

import { Interfaces } from "@app-registry/sdk";
import { MetadataText } from "../fields/MetadataText.tsx";
import { useWizard } from "../WizardContext.tsx";
import { StepFrame } from "./StepFrame.tsx";

/** What the service is and who publishes it. */
export function AboutStep() {
  const { draft } = useWizard();
  return (
    <StepFrame
      title="About the service"
      intro="How people and agents recognise the service, and whom they can ask."
    >
      <MetadataText
        pointer="/name"
        label="Name"
        required
        help="As it stands on your own site. It is the largest thing on the service's page."
      />
      <MetadataText
        pointer="/description"
        label="Description"
        required
        lines={3}
        help="What it does and for whom, in a sentence or two. Search reads it."
      />
      <MetadataText
        pointer="/publisher"
        label="Publisher"
        required
        help="The person or organisation that answers for the service."
      />
      <MetadataText
        pointer="/image"
        label="Icon URL"
        required={(draft.interfaces & Interfaces.Human) !== 0}
        placeholder="https://example.com/icon.png"
        mono
        help="A square image. Required for a website or app."
      />
      <MetadataText
        pointer="/external_url"
        label="External URL"
        placeholder="https://example.com"
        mono
        help="The service's own page. Optional."
      />
      <MetadataText
        pointer="/supportUrl"
        label="Support URL"
        placeholder="https://example.com/support"
        mono
        help="Where users get help. Optional."
      />
    </StepFrame>
  );
}
