/** Where the chosen scheme is kept, and the attribute that the tokens follow: the component library's own. */
const KEY = "mantine-color-scheme-value";
const ATTRIBUTE = "data-mantine-color-scheme";

/**
 * Sets the scheme before anything is drawn: the chosen one, else the system's, which it follows. It runs as text in the
 * page's head.
 */
export const colorSchemeScript = `(() => {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => {
    let chosen = null;
    try { chosen = localStorage.getItem("${KEY}"); } catch {}
    const scheme = chosen === "light" || chosen === "dark" ? chosen : dark.matches ? "dark" : "light";
    document.documentElement.setAttribute("${ATTRIBUTE}", scheme);
  };
  apply();
  dark.addEventListener("change", apply);
})()`;

/** Switches between the two schemes and remembers the choice. */
export function switchColorScheme(): void {
  const root = document.documentElement;
  const scheme = root.getAttribute(ATTRIBUTE) === "dark" ? "light" : "dark";
  root.setAttribute(ATTRIBUTE, scheme);
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // The choice holds for this page.
  }
  // Parts of the component library on this page learn of it as they do from another tab.
  dispatchEvent(new StorageEvent("storage", { key: KEY, newValue: scheme, storageArea: localStorage }));
}
