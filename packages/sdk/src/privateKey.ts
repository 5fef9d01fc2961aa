/** Returns true if a text has the form of a private key: 32 bytes in hexadecimal, with or without `0x`. */
export const isPrivateKey = (text: string): boolean => /^\s*(0x)?[0-9a-f]{64}\s*$/i.test(text);

/** Replaces a text that may be a private key, so that no error repeats it. */
export const withoutKey = (text: string): string => (isPrivateKey(text) ? "(32 bytes)" : text);
