/** Returns the media type in lower case and without parameters, or an empty string. */
export const mediaTypeIn = (headers: { get(name: string): string | null }): string =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
