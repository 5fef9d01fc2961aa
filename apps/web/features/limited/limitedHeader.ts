/** Request header in which the proxy tells the page of a refused request after how many seconds it may be made again. */
export const retryAfterHeader = "x-app-registry-retry-after";
