/**
 * Returns true if the same request may succeed later, judging by its HTTP status: 408, 425, 429 and every 5xx (RFC
 * 9110, RFC 8470, RFC 6585).
 */
export const isTransientStatus = (status: number): boolean =>
  status >= 500 || status === 408 || status === 425 || status === 429;
