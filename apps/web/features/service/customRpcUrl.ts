/** Where a typed RPC URL waits, in this tab alone, while its page is loaded anew: it may hold a key. */
const STORED = "app-registry-verify-rpc";

/** The origin that this page's policy was asked to allow. */
export const allowedRpcOrigin = (): string | undefined =>
  new URLSearchParams(location.search).get("rpc") ?? undefined;

/** Keeps a URL for the page that allows its origin. */
export const saveRpcUrl = (url: string): void => sessionStorage.setItem(STORED, url);

/** Whether a URL was typed in this tab whose origin this page allows: nothing is asked of one that only a link names. */
export const hasSavedRpcUrl = (): boolean => {
  const stored = sessionStorage.getItem(STORED);
  return stored !== null && URL.parse(stored)?.origin === allowedRpcOrigin();
};

/** The URL that was typed in this tab and that this page allows, once. */
export function consumeRpcUrl(): string | undefined {
  const stored = hasSavedRpcUrl() ? (sessionStorage.getItem(STORED) ?? undefined) : undefined;
  sessionStorage.removeItem(STORED);
  return stored;
}
