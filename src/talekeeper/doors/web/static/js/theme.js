// Dark, light, or as the system has it.

export const THEMES = ["dark", "light", "system"];

export const theme = () => document.documentElement.dataset.theme;

export function setTheme(name) {
  document.documentElement.dataset.theme = name;
  document.querySelector('meta[name="theme-color"]').content = getComputedStyle(document.documentElement).getPropertyValue("--ground").trim();
  try {
    localStorage.setItem("talekeeper:theme", name);
  } catch {
    // It holds until the page is left.
  }
}
