// Building and keeping elements.

export const $ = (id) => document.getElementById(id);

/** An element: h("button", {class: "x", onclick: fn, "aria-label": "…"}, child, …). */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === null || value === undefined || value === false) continue;
    if (name === "html") node.innerHTML = value; // only ever HTML that the server rendered
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (name in node && typeof value !== "string") node[name] = value;
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat(3).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Make `parent` hold exactly these nodes, touching only what moved: focus and hover survive. */
export function reconcile(parent, nodes) {
  let at = parent.firstChild;
  for (const node of nodes) {
    if (node === at) at = at.nextSibling;
    else parent.insertBefore(node, at);
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

/** Call `fn` once, `ms` after the last call. */
export function later(ms, fn) {
  let timer = 0;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => fn(...args), ms);
  };
}

export function toast(text, kind = "error") {
  const node = h("div", { class: `toast ${kind}` }, text);
  $("toasts").append(node);
  setTimeout(() => node.remove(), 5000);
}
