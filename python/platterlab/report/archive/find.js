// Searches and sorts the table of models. Without it the table is as it was written.

const form = document.querySelector(".find");
const table = form.nextElementSibling.querySelector("table");
const body = table.tBodies[0];
const rows = [...body.rows];
const headings = [...table.tHead.rows[0].cells];
const order = form.elements.order;
const number = new Intl.NumberFormat("en");
let upwards = true;

const words = rows.map((row) => row.textContent.toLowerCase());

// A cell as a number; what has none comes last, whichever way it is sorted.
function value(row, column) {
  const text = row.cells[column].firstChild.textContent.replaceAll(",", "");
  const found = parseFloat(text);
  return Number.isNaN(found) ? null : found;
}

function compared(one, other, column) {
  if (column === 0) return one.cells[0].textContent.localeCompare(other.cells[0].textContent, "en");
  return value(one, column) - value(other, column);
}

function sort(column, way) {
  upwards = way;
  const is_known = (row) => column === 0 || value(row, column) !== null;
  const known = rows.filter(is_known).sort((a, b) => (upwards ? 1 : -1) * compared(a, b, column));
  body.append(...known, ...rows.filter((row) => !is_known(row)));
  headings.forEach((heading, at) => {
    if (at === column) heading.setAttribute("aria-sort", upwards ? "ascending" : "descending");
    else heading.removeAttribute("aria-sort");
  });
  order.value = `${column} ${upwards ? "up" : "down"}`;
}

function search() {
  const wanted = form.elements.words.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  rows.forEach((row, at) => {
    row.hidden = !wanted.every((word) => words[at].includes(word));
    shown += row.hidden ? 0 : 1;
  });
  form.querySelector("output").textContent =
    `${number.format(shown)} of ${number.format(rows.length)}`;
}

headings.forEach((heading, column) => {
  const name = heading.textContent;
  const button = document.createElement("button");
  button.type = "button";
  button.textContent = name;
  button.addEventListener("click", () =>
    sort(column, heading.getAttribute("aria-sort") !== "ascending"),
  );
  heading.replaceChildren(button);
  for (const [way, said] of [["up", column ? "least first" : "A to Z"], ["down", column ? "most first" : "Z to A"]])
    order.add(new Option(`${name}, ${said}`, `${column} ${way}`));
});
order.addEventListener("change", () => {
  const [column, way] = order.value.split(" ");
  sort(Number(column), way === "up");
});
form.addEventListener("input", search);
form.addEventListener("submit", (event) => event.preventDefault());
form.hidden = false;
search();
