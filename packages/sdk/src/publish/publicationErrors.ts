import { AppRegistryError } from "../errors/appRegistryError.ts";
import type { Problem } from "../metadata/problem.ts";

/** The metadata can't be published as it is. `problems` lists each place. */
export class NotPublishableError extends AppRegistryError {
  override readonly name = "NotPublishableError";
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const places = problems.map(({ pointer, message }) => `${pointer || "the document"}: ${message}`);
    super(`The metadata can't be published. ${places.join(" ")}`, {
      action: "Correct each place, then publish again.",
      docsPath: "/metadata",
    });
    this.problems = problems;
  }
}

/** What stands in the registry does not let this version follow. */
export class PublicationConflictError extends AppRegistryError {
  override readonly name = "PublicationConflictError";
  /** `same-version`: that version is published with other content. */
  readonly code: "same-version" | "version" | "new-major" | "interfaces" | "traits" | "data-url";

  constructor(code: PublicationConflictError["code"], message: string, action?: string) {
    super(message, { action, docsPath: "/cli#publish" });
    this.code = code;
  }
}
