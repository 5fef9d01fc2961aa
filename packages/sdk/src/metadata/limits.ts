/** Longest `name` and `publisher`, in characters (UTF-16 code units, as in every limit here). */
export const MAX_NAME_LENGTH = 200;

/** Longest `description`, also of a tool, resource or prompt. */
export const MAX_DESCRIPTION_LENGTH = 10_000;

/** Longest `releaseNotes` and `deprecation`. */
export const MAX_NOTES_LENGTH = 4_000;

/** Longest URL. */
export const MAX_URL_LENGTH = 2048;

/** Most entries of a list of URLs, of endpoints or of payments. */
export const MAX_LIST_LENGTH = 100;

/** Most tools, resources or prompts of one endpoint. */
export const MAX_MCP_ENTRIES = 1000;

/** Largest document, in bytes of its canonical text: the most that a verifier fetches. On-chain storage holds less. */
export const MAX_DOCUMENT_SIZE = 1_048_576;

/** Largest canonical text that the metadata store keeps on the chain, in bytes: its `MAX_METADATA_SIZE`. */
export const MAX_STORED_METADATA_SIZE = 24_575;
