"use client";

import type { ComponentType } from "react";
import type { StepId } from "./draft/draft.ts";
import { AboutStep } from "./steps/AboutStep.tsx";
import { ApiStep } from "./steps/ApiStep.tsx";
import { ContractStep } from "./steps/ContractStep.tsx";
import { DiscoveryStep } from "./steps/DiscoveryStep.tsx";
import { HumanStep } from "./steps/HumanStep.tsx";
import { IdentityStep } from "./steps/IdentityStep.tsx";
import { InterfacesStep } from "./steps/InterfacesStep.tsx";
import { JsonStep } from "./steps/JsonStep.tsx";
import { PublicationStep } from "./steps/PublicationStep.tsx";
import { ReviewStep } from "./steps/ReviewStep.tsx";
import { useWizard } from "./WizardContext.tsx";

const screens: Record<StepId, ComponentType> = {
  identity: IdentityStep,
  about: AboutStep,
  interfaces: InterfacesStep,
  human: HumanStep,
  api: ApiStep,
  contract: ContractStep,
  discovery: DiscoveryStep,
  publication: PublicationStep,
  json: JsonStep,
  review: ReviewStep,
};

/** The screen on which the draft stands. */
export function Screen() {
  const Step = screens[useWizard().draft.step];
  return <Step />;
}
