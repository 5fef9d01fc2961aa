/** Longest `name` and `publisher`, in UTF-16 code units. */
export const MAX_NAME_LENGTH = 200;

/** Longest `description`, also of a tool, resource or prompt, in UTF-16 code units. */
export const MAX_DESCRIPTION_LENGTH = 10_000;

/** Longest `releaseNotes` and `deprecation`, in UTF-16 code units. */
export const MAX_NOTES_LENGTH = 4_000;

/** Longest URL, in UTF-16 code units. */
export const MAX_URL_LENGTH = 2048;

/** Maximum number of entries of a list of URLs, endpoints or payments. */
export const MAX_LIST_LENGTH = 100;

/** Maximum number of tools, resources or prompts of one endpoint. */
export const MAX_MCP_ENTRIES = 1000;

/**
 * Largest document, in bytes of its canonical text. A verifier fetches no more. The limit for storage on the chain is
 * lower.
 */
export const MAX_DOCUMENT_SIZE = 1_048_576;

/** Largest canonical text that the metadata store accepts, in bytes (`MAX_METADATA_SIZE` of the contract). */
export const MAX_STORED_METADATA_SIZE = 24_575;
