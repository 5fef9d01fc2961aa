/**
 * Storage key of the chosen scheme and the attribute that the tokens follow, both shared with the component library.
 */
const KEY = "mantine-color-scheme-value";
const ATTRIBUTE = "data-mantine-color-scheme";

/**
 * Script that sets the scheme before the first paint: the chosen one, or else the system's, which it follows. Inlined
 * in the page's head.
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

/** Switches between the two schemes and saves the choice. */
export function switchColorScheme(): void {
  const root = document.documentElement;
  const scheme = root.getAttribute(ATTRIBUTE) === "dark" ? "light" : "dark";
  root.setAttribute(ATTRIBUTE, scheme);
  try {
    localStorage.setItem(KEY, scheme);
  } catch {
    // Without storage the choice applies only to this page.
  }
  // Notify the component library, which listens for changes from other tabs.
  dispatchEvent(new StorageEvent("storage", { key: KEY, newValue: scheme, storageArea: localStorage }));
}
