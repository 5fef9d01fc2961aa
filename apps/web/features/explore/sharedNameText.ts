/** Note on a name that several services use. All of them get it, because an older record proves nothing. */
export const SHARED_NAME = "Another service uses this name or a similar-looking one.";
