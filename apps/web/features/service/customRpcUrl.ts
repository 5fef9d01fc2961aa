/**
 * Session storage key of the entered RPC URL while its page reloads. Only this tab can read it, because it may contain
 * a key.
 */
const STORED = "app-registry-verify-rpc";

/** Returns the origin that this page's policy additionally allows. */
export const allowedRpcOrigin = (): string | undefined =>
  new URLSearchParams(location.search).get("rpc") ?? undefined;

/** Saves a URL for the page that allows its origin. */
export const saveRpcUrl = (url: string): void => sessionStorage.setItem(STORED, url);

/**
 * Returns true if the user entered a URL in this tab whose origin this page allows. An origin that only a link names is
 * never requested.
 */
export const hasSavedRpcUrl = (): boolean => {
  const stored = sessionStorage.getItem(STORED);
  return stored !== null && URL.parse(stored)?.origin === allowedRpcOrigin();
};

/** Returns and deletes the URL that the user entered, if this page allows its origin. */
export function consumeRpcUrl(): string | undefined {
  const stored = hasSavedRpcUrl() ? (sessionStorage.getItem(STORED) ?? undefined) : undefined;
  sessionStorage.removeItem(STORED);
  return stored;
}
