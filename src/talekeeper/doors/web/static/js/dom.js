// Builds elements. Text becomes text nodes and nothing else, so what a player or a model writes is never read as markup.

const SVG = "http://www.w3.org/2000/svg";

export const h = (tag, props, ...children) => fill(document.createElement(tag), props, children);

export const s = (tag, props, ...children) => fill(document.createElementNS(SVG, tag), props, children);

export const find = (id) => document.getElementById(id);

/** Replaces what an element holds. */
export function put(element, ...children) {
  element.replaceChildren(...wanted(children));
  return element;
}

const wanted = (children) => children.flat(3).filter((child) => child !== null && child !== undefined && child !== false && child !== "");

function fill(element, props, children) {
  for (const [name, value] of Object.entries(props ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (name === "value") element.value = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...wanted(children));
  return element;
}
