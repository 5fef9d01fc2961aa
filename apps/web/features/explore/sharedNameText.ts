/** Of a name that is not one service's alone. Being older earns nothing, so it says the same of each. */
export const SHARED_NAME = "Another service uses this name or a similar-looking one.";
