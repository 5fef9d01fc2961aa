/** Returns the media type that headers name, in lower case and without parameters, or an empty text. */
export const mediaTypeIn = (headers: { get(name: string): string | null }): string =>
  headers.get("content-type")?.split(";", 1)[0]?.trim().toLowerCase() ?? "";
