/** Request header that carries the undecoded path from the proxy to a service's page; never taken from a client. */
export const rawPathHeader = "x-app-registry-path";
