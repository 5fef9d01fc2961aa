import { AppRegistryError } from "@app-registry/sdk";
import { verify } from "./verify.ts";

function find<Found extends Element>(selector: string): Found {
  const element = document.querySelector<Found>(selector);
  if (!element) throw new Error(`The page has no ${selector}.`);
  return element;
}

const form = find<HTMLFormElement>("form");
const button = find<HTMLButtonElement>("button");
const result = find<HTMLOutputElement>("output");
const list = find<HTMLDListElement>("dl");

/** Creates an element with text. Never uses HTML, because reasons may quote untrusted content. */
function element(name: "dt" | "dd", text: string): HTMLElement {
  const created = document.createElement(name);
  created.textContent = text;
  return created;
}

form.addEventListener("submit", async (event) => {
  event.preventDefault();
  const fields = new FormData(form);
  button.disabled = true;
  list.replaceChildren();
  result.value = "Verifying …";
  try {
    const { sentence, facts } = await verify(String(fields.get("registry")), String(fields.get("did")));
    for (const { name, outcome, reason } of facts) {
      list.append(element("dt", `${name}: ${outcome}`), element("dd", reason));
    }
    result.value = sentence;
  } catch (error) {
    // Show only the short message: the SDK's errors describe the problem in one sentence.
    result.value = error instanceof AppRegistryError ? error.shortMessage : String(error);
  } finally {
    button.disabled = false;
  }
});
