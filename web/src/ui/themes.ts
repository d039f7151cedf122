// The theme switch: light, dark or what the system has.

export function themes(onChange: () => void): void {
  const buttons = [...document.querySelectorAll<HTMLButtonElement>("#theme button")];
  const show = () => {
    const now = document.documentElement.dataset.theme ?? "system";
    for (const b of buttons) {
      const on = b.dataset.themeChoice === now;
      b.setAttribute("aria-checked", String(on));
      b.tabIndex = on ? 0 : -1;
    }
  };
  for (const b of buttons)
    b.addEventListener("click", () => {
      const choice = b.dataset.themeChoice!;
      if (choice === "system") {
        localStorage.removeItem("theme");
        delete document.documentElement.dataset.theme;
      } else {
        localStorage.setItem("theme", choice);
        document.documentElement.dataset.theme = choice;
      }
      show();
      onChange();
    });
  radioKeys(buttons);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", onChange);
  show();
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
