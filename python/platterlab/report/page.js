// Replaces the drawing in each figure with a live one, as wide as the page has room for.

// Below this there is no room for notes beside what they are about; the tables have the values.
const NARROW_PX = 520;
// What the chart's menu takes at the right.
const MENU_PX = 38;

const widest = (specs) => Math.max(...specs.map(inner));
const total = (specs) => specs.reduce((sum, spec) => sum + inner(spec), 0);

// How much of a specification's width is its plots', and not axes' or gaps'.
function inner(spec) {
  if (spec.hconcat) return total(spec.hconcat);
  if (spec.vconcat) return widest(spec.vconcat);
  if (spec.concat) return spec.columns === 1 ? widest(spec.concat) : total(spec.concat);
  return spec.width;
}

function scaled(spec, by) {
  const made = { ...spec };
  for (const key of ["hconcat", "vconcat", "concat"])
    if (spec[key]) made[key] = spec[key].map((part) => scaled(part, by));
  if (spec.width) made.width = Math.max(24, Math.floor(spec.width * by));
  return made;
}

function narrowed(spec) {
  const made = { ...spec };
  for (const key of ["layer", "hconcat", "vconcat", "concat"])
    if (spec[key]) made[key] = spec[key].filter((part) => part.mark?.style !== "note").map(narrowed);
  if (spec.concat) made.columns = 1;
  const color = spec.encoding?.color;
  if (color?.legend)
    made.encoding = { ...spec.encoding, color: { ...color, legend: { ...color.legend, columns: 1 } } };
  return made;
}

function fitted(spec, natural_px, room_px) {
  const axes_px = natural_px - inner(spec);
  if (room_px >= NARROW_PX) return scaled(spec, (room_px - axes_px) / inner(spec));
  const narrow = narrowed(spec);
  const beside_px = spec.concat ? axes_px / spec.concat.length : axes_px;
  const config = { ...spec.config, legend: { ...spec.config.legend, columns: 2 } };
  return { ...scaled(narrow, (room_px - beside_px) / inner(narrow)), config };
}

const options = {
  renderer: "svg",
  actions: { export: true, source: false, compiled: false, editor: false },
};

for (const figure of document.querySelectorAll(".chart")) {
  const spec = JSON.parse(figure.nextElementSibling.textContent);
  const natural_px = figure.querySelector("svg").viewBox.baseVal.width;
  let drawn_px = 0;
  const draw = () => {
    if (figure.clientWidth === drawn_px) return;
    drawn_px = figure.clientWidth;
    vegaEmbed(figure, fitted(spec, natural_px, drawn_px - MENU_PX), options);
  };
  draw();
  addEventListener("resize", draw);
}
