// The theme over the stream's picture. It asks now and then; when the house is away, the last words stay.

const EVERY = 2000;
const FADE = 800;
const shown = document.getElementById("theme");
const address = `/stream/overlay/theme${location.search}`;

async function look() {
  try {
    const answer = await fetch(address, { cache: "no-store" });
    if (answer.ok) turnTo((await answer.json()).theme);
  } catch {
    // Asked again in a moment.
  }
  setTimeout(look, EVERY);
}

function turnTo(theme) {
  if (shown.textContent === theme) return;
  const put = () => {
    shown.textContent = theme;
    shown.hidden = !theme;
    shown.classList.remove("turning");
  };
  if (shown.hidden) return put();
  shown.classList.add("turning");
  setTimeout(put, FADE);
}

look();
