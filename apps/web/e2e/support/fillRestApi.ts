import { getProvenSubject } from "@app-registry/sdk";
import type { RegisterPage } from "../pages/RegisterPage.ts";

/** Fills in a REST API of a DID's host that is ready to publish. */
export async function fillRestApi(wizard: RegisterPage, did: string): Promise<void> {
  await wizard.identify({ DID: did, Version: "1.0.0" });
  await wizard.goTo("About the service");
  await wizard.fill({ Name: "Tide Tables", Description: "High and low water.", Publisher: "Example Ltd" });
  await wizard.goTo("Your service");
  await wizard.chooseKinds("API");
  await wizard.goTo("API");
  await wizard.fill({ "Endpoint URL": `http://${getProvenSubject(did).name}/v1` });
}
