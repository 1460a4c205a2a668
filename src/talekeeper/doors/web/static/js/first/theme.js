// The chosen theme before the first paint. A classic script, because modules come too late for that.
try {
  document.documentElement.dataset.theme = localStorage.getItem("talekeeper:theme") || "dark";
} catch {
  // Storage may be forbidden; dark it is.
}
