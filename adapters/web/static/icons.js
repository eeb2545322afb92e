// Line icons, drawn here so that nothing is fetched.

const PATHS = {
  menu: "M4 7h16M4 12h16M4 17h16",
  close: "M6 6l12 12M18 6L6 18",
  plus: "M12 5v14M5 12h14",
  lock: "M7 11V8a5 5 0 0 1 10 0v3M5.5 11h13v9h-13z",
  hash: "M9 4L7 20M17 4l-2 16M4.5 9h16M3.5 15h16",
  send: "M5 12l15-7-5 15-3.5-6.5z M11.5 13.5L20 5",
  reply: "M10 7l-6 5 6 5v-3.5c5 0 8 1 10 4-.5-5-3.500-7.500-10-7.500z",
  thread: "M5 5h14v10h-8l-4 4v-4H5z M9 9h6M9 12h4",
  smile: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M8.500 14c1 1.600 2.200 2.300 3.500 2.300s2.500-.7 3.500-2.300M9 9.500v.5M15 9.500v.5",
  edit: "M4 20l1-4L16.500 4.500l3 3L8 19z M14 7l3 3",
  trash: "M5 7h14M10 7V4h4v3M7 7l1 13h8l1-13M10.500 11v5M13.500 11v5",
  why: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z M9.500 9.300c.2-1.500 1.300-2.300 2.600-2.300 1.500 0 2.600 1 2.600 2.400 0 2-2.600 2.200-2.600 4.300M12.100 17v.3",
  scenes: "M3 12s3.500-6 9-6 9 6 9 6-3.500 6-9 6-9-6-9-6z M12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z",
  play: "M8 5.500v13l10.500-6.500z",
  down: "M6 9.500l6 6 6-6",
  right: "M9.500 6l6 6-6 6",
  back: "M14.500 6l-6 6 6 6",
  check: "M5 12.500l4.500 4.500L19 7.500",
  link: "M10 14a4 4 0 0 0 6 .4l3-3a4 4 0 0 0-5.700-5.700l-1 1M14 10a4 4 0 0 0-6-.4l-3 3a4 4 0 0 0 5.700 5.700l1-1",
  people: "M9 11.500a3.500 3.500 0 1 0 0-7 3.500 3.500 0 0 0 0 7zM2.500 19.500c.5-3.500 3-5.500 6.500-5.500s6 2 6.500 5.500M16 5a3.300 3.300 0 0 1 0 6.300M18 14.300c2 .7 3.200 2.400 3.500 5.200",
  globe: "M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM3 12h18M12 3c2.500 2.600 3.600 5.600 3.600 9S14.500 18.400 12 21c-2.500-2.600-3.600-5.600-3.600-9S9.500 5.600 12 3z",
  fire: "M12 3c.5 3.500 5 5.500 5 10.500a5 5 0 0 1-10 0c0-2 1-3.200 2-4.300.3 1.300.9 2 1.600 2.300C10.500 8.500 10.800 5.500 12 3z",
  mind: "M9 4.500a3 3 0 0 0-3 3 3 3 0 0 0-2 2.800c0 1.200.6 2 1.300 2.600-.5 2.600 1 4.600 3.400 4.600.6 1.200 1.700 2 3.300 2V4.800C11 4.300 10 4.200 9 4.500zM15 4.500a3 3 0 0 1 3 3 3 3 0 0 1 2 2.800c0 1.200-.6 2-1.300 2.600.5 2.600-1 4.600-3.400 4.600-.6 1.200-1.700 2-3.300 2",
  gate: "M4 20V11a8 8 0 0 1 16 0v9M8.500 20v-9a3.500 3.500 0 0 1 7 0v9M2.500 20h19",
  letter: "M3.500 6h17v12h-17z M4 7l8 6 8-6",
  file: "M6 3.500h8l4.500 4.500v12.500H6z M14 3.500V8h4.500M9 12.500h6M9 16h6",
  leave: "M14 4.500H5v15h9M10 12h11M17.500 8.500L21 12l-3.500 3.500",
};

export function icon(name, size = 18) {
  const NS = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(NS, "svg");
  for (const [key, value] of Object.entries({
    viewBox: "0 0 24 24", width: size, height: size, fill: "none", stroke: "currentColor",
    "stroke-width": 1.8, "stroke-linecap": "round", "stroke-linejoin": "round", "aria-hidden": "true",
  })) svg.setAttribute(key, value);
  const path = document.createElementNS(NS, "path");
  path.setAttribute("d", PATHS[name]);
  svg.append(path);
  return svg;
}
