// The theme switch: light, dark, high contrast, or what the system has.

export type Theme = "system" | "light" | "dark" | "contrast";

/** What a change of the system can change of the colours. */
const ASKED = ["(prefers-color-scheme: dark)", "(prefers-contrast: more)", "(forced-colors: active)"];

/** Wires the switch; onChange is told of other colours. What is returned chooses a theme. */
export function themes(onChange: () => void): (theme: Theme) => void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("#theme button")];
  const show = () => {
    const now = document.documentElement.dataset.theme ?? "system";
    for (const b of buttons) {
      const on = b.dataset.themeChoice === now;
      b.setAttribute("aria-checked", String(on));
      b.tabIndex = on ? 0 : -1;
    }
  };
  const dress = (theme: Theme) => {
    if (theme === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = theme;
    show();
    onChange();
  };
  const choose = (theme: Theme) => {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
    dress(theme);
  };
  // What is chosen on another page holds here too, or that nothing is any more.
  addEventListener("storage", (e) => {
    if (e.key === "theme" || e.key === null) dress(buttons.some((b) => b.dataset.themeChoice === e.newValue) ? (e.newValue as Theme) : "system");
  });
  for (const b of buttons) b.addEventListener("click", () => choose(b.dataset.themeChoice as Theme));
  radioKeys(buttons);
  for (const query of ASKED) matchMedia(query).addEventListener("change", onChange);
  show();
  return choose;
}

/** Arrow keys choose among buttons that belong together. */
export function radioKeys(buttons: HTMLButtonElement[]): void {
  buttons.forEach((b, i) =>
    b.addEventListener("keydown", (e) => {
      const step = e.key === "ArrowRight" || e.key === "ArrowDown" ? 1 : e.key === "ArrowLeft" || e.key === "ArrowUp" ? -1 : 0;
      if (!step) return;
      e.preventDefault();
      e.stopPropagation();
      const next = buttons[(i + step + buttons.length) % buttons.length];
      next.focus();
      next.click();
    }),
  );
}
