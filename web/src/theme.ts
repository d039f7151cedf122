// Applies the stored theme before the first paint; nothing stored means the system's.
(() => {
  const stored = localStorage.getItem("theme");
  if (stored === "light" || stored === "dark" || stored === "contrast") document.documentElement.dataset.theme = stored;
})();
export {};
