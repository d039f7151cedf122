// Applies the stored theme before the first paint. "system" is stored as nothing.
const stored = localStorage.getItem("theme");
if (stored === "light" || stored === "dark") document.documentElement.dataset.theme = stored;
export {};
