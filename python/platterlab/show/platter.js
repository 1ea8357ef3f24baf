// Draws a scene at a moment, and lets the moment move. What happens when is in the scene.

const scene = JSON.parse(document.getElementById("scene").textContent);
const SPANS = scene.spans;
const requests = scene.requests;
const byId = (id) => document.getElementById(id);
const begin = Math.min(...requests.map((one) => one.times_ms[0]));
const end = Math.max(...requests.map((one) => one.times_ms[7]));
const unit = scene.unit;
const still = matchMedia("(prefers-reduced-motion: reduce)");
const dark = matchMedia("(prefers-color-scheme: dark)");

const moments = [...new Set(requests.flatMap((one) => one.times_ms))].sort((a, b) => a - b);
const busy = merged(requests.map((one) => [one.times_ms[0], one.times_ms[7]]));
let now = begin;
let playing = false;
let drawnAt;
let color = {};

function merged(pairs) {
  const made = [];
  for (const [from, to] of pairs.sort((a, b) => a[0] - b[0])) {
    const last = made.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else made.push([from, to]);
  }
  return made;
}

function told(ms) {
  return ms.toLocaleString("en", { minimumFractionDigits: scene.digits, maximumFractionDigits: scene.digits });
}

// The request that the drive works on, the one before it, and those that wait.
function state(at) {
  const current = requests.find((one) => one.times_ms[1] <= at && at < one.times_ms[7]);
  const done = requests.filter((one) => one.times_ms[7] <= at);
  const waiting = requests.filter((one) => one.times_ms[0] <= at && at < one.times_ms[1]);
  const span = current && SPANS.findIndex((_, index) => at < current.times_ms[index + 2]);
  return { current, span, done: done.length, last: done.at(-1), waiting };
}

function arm(at) {
  const path = scene.arm;
  if (!path.length) return { cylinder: 0, known: false };
  let index = path.findIndex(([time]) => time > at);
  if (index === 0) return { cylinder: path[0][1], known: true };
  if (index < 0) return { cylinder: path.at(-1)[1], known: true };
  while (index > 1 && path[index][0] === path[index - 1][0]) index--;
  const [from, there] = path[index - 1];
  const [to, next, known] = path[index];
  return { cylinder: there + ((next - there) * (at - from)) / (to - from), known };
}

function turned(at) {
  return scene.phase_turns === null ? 0 : (scene.phase_turns + at / scene.rotation_ms) % 1;
}

function colors() {
  const style = getComputedStyle(document.documentElement);
  for (const name of [...SPANS, "queue", "disk", "disk-dark", "metal", "ink", "quiet", "paper", "line"])
    color[name] = style.getPropertyValue(`--${name}`).trim();
}

function sized(canvas) {
  const by = devicePixelRatio || 1;
  const { clientWidth: width, clientHeight: height } = canvas;
  if (canvas.width !== Math.round(width * by) || canvas.height !== Math.round(height * by)) {
    canvas.width = Math.round(width * by);
    canvas.height = Math.round(height * by);
  }
  const pen = canvas.getContext("2d");
  pen.setTransform(by, 0, 0, by, 0, 0);
  pen.clearRect(0, 0, width, height);
  return { pen, width, height };
}

const TURN = 2 * Math.PI;

function drawPlatter(at, { current, span, waiting }) {
  const { pen, width, height } = sized(byId("platter"));
  const outer = Math.min(height / 2, width / 2.32) - 4;
  const inner = outer * 0.3;
  const x = outer + 4, y = height / 2;
  const pitch = (outer - inner) / scene.cylinders;
  const radius = (cylinder) => outer - (cylinder + 0.5) * pitch;
  const angle = (turns) => (turns - turned(at)) * TURN;
  pen.lineWidth = 1;
  disc(outer, color.disk);
  const most = Math.max(...scene.zones.map((zone) => zone[2]));
  for (const [first, last, perTrack] of scene.zones) {
    pen.globalAlpha = 0.25 + 0.6 * (perTrack / most) ** 2;
    ring(outer - first * pitch, outer - (last + 1) * pitch, color["disk-dark"]);
    pen.globalAlpha = 1;
    circle(outer - first * pitch, color.line);
  }
  if (scene.sectors.length) drawSectors();
  else for (let spoke = 0; spoke < 12; spoke++) line(angle(spoke / 12), inner, outer, color.line);
  if (!scene.sectors.length) line(angle(0), inner, outer, color.metal, 2);
  disc(inner, color.paper);
  circle(inner, color.metal);
  circle(outer, color.metal);
  disc(outer * 0.08, color.metal);
  for (const one of waiting) place(one, color.queue, true);
  if (current) place(current, color[SPANS[span]], false);
  drawArm();

  function disc(size, fill) { pen.beginPath(); pen.arc(x, y, size, 0, TURN); pen.fillStyle = fill; pen.fill(); }
  function circle(size, stroke) { pen.beginPath(); pen.arc(x, y, size, 0, TURN); pen.strokeStyle = stroke; pen.stroke(); }
  function ring(from, to, fill) {
    pen.beginPath(); pen.arc(x, y, from, 0, TURN); pen.arc(x, y, to, TURN, 0, true);
    pen.fillStyle = fill; pen.fill();
  }
  function line(at_, from, to, stroke, size = 1) {
    pen.beginPath(); pen.moveTo(x + from * Math.cos(at_), y + from * Math.sin(at_));
    pen.lineTo(x + to * Math.cos(at_), y + to * Math.sin(at_));
    pen.strokeStyle = stroke; pen.lineWidth = size; pen.stroke(); pen.lineWidth = 1;
  }
  function drawSectors() {
    pen.font = `${Math.max(9, Math.min(22, pitch * 0.3))}px system-ui, sans-serif`;
    pen.textAlign = "center"; pen.textBaseline = "middle";
    scene.sectors.forEach(([cylinder, turns, perTrack], number) => {
      const middle = radius(cylinder), from = angle(turns), half = angle(turns + 0.5 / perTrack);
      line(from, middle - pitch / 2, middle + pitch / 2, color.paper);
      if (middle * (TURN / perTrack) < 15) return;
      const wanted = waiting.some((one) => one.lba === number) || current?.lba === number;
      pen.fillStyle = wanted ? color.ink : color.quiet;
      pen.fillText(String(number), x + middle * Math.cos(half), y + middle * Math.sin(half));
    });
    for (let track = 1; track < scene.cylinders; track++) circle(outer - track * pitch, color.paper);
  }
  // What a request asks for; the sweep of one longer than a revolution is the whole track.
  function place(one, stroke, quiet) {
    const middle = radius(one.cylinder);
    const from = angle(one.angle_turns);
    const wide = Math.max(quiet ? 3 : 5, Math.min(pitch * 0.9, 60));
    const sweep = Math.max(Math.min(one.sweep_turns, 1) * TURN, 4 / middle);
    pen.globalAlpha = scene.sectors.length ? 0.55 : 1;
    pen.beginPath(); pen.arc(x, y, middle, from, from + sweep);
    pen.strokeStyle = stroke; pen.lineWidth = wide; pen.stroke(); pen.lineWidth = 1;
    pen.globalAlpha = 1;
    if (!quiet) {
      pen.globalAlpha = 0.5; circle(middle, stroke); pen.globalAlpha = 1;
    } else if (!scene.sectors.length) {
      pen.beginPath(); pen.arc(x + middle * Math.cos(from), y + middle * Math.sin(from), 4, 0, TURN);
      pen.fillStyle = color.queue; pen.fill(); pen.strokeStyle = color.quiet; pen.stroke();
    }
  }
  function drawArm() {
    const { cylinder, known } = arm(at);
    const tip = x + radius(cylinder);
    const pivot = x + outer + (width - x - outer) * 0.55;
    const thick = outer * 0.035;
    pen.globalAlpha = known ? 1 : 0.45;
    pen.fillStyle = color.metal;
    pen.beginPath(); pen.moveTo(tip, y - thick * 0.35); pen.lineTo(pivot + outer * 0.28, y - thick);
    pen.lineTo(pivot + outer * 0.28, y + thick); pen.lineTo(tip, y + thick * 0.35); pen.fill();
    pen.beginPath(); pen.arc(tip, y, Math.max(4, outer * 0.018), 0, TURN);
    pen.fillStyle = span === undefined ? color.quiet : color[SPANS[span]]; pen.fill();
    pen.strokeStyle = color.paper; pen.lineWidth = 1.5; pen.stroke(); pen.lineWidth = 1;
    pen.globalAlpha = 1;
  }
}

// All requests in time around the moment: above how long each waits, below what the drive does.
function drawTimes(at) {
  const { pen, width, height } = sized(byId("times"));
  const window_ms = Math.min(end - begin, scene.rotation_ms * 6) || 1;
  const from = Math.max(begin, Math.min(at - window_ms * 0.4, end - window_ms));
  const px = (ms) => ((ms - from) / window_ms) * width;
  const band = height * 0.38;
  pen.fillStyle = color.disk;
  pen.fillRect(0, band + 4, width, height - band - 20);
  for (const one of requests) {
    if (one.times_ms[7] < from || one.times_ms[0] > from + window_ms) continue;
    const rows = Math.max(1, Math.floor(band / 5));
    pen.fillStyle = color.queue;
    pen.fillRect(px(one.times_ms[0]), (one.number % rows) * 5, px(one.times_ms[1]) - px(one.times_ms[0]), 3);
    SPANS.forEach((name, index) => {
      const left = px(one.times_ms[index + 1]), right = px(one.times_ms[index + 2]);
      pen.fillStyle = color[name];
      pen.fillRect(left, band + 4, right - left, height - band - 20);
    });
    pen.fillStyle = color.paper;
    pen.fillRect(px(one.times_ms[7]) - 0.5, band + 4, 1, height - band - 20);
  }
  pen.fillStyle = color.quiet;
  pen.font = "12px system-ui, sans-serif";
  pen.textBaseline = "bottom";
  pen.textAlign = "left"; pen.fillText(`${told(from)} ${unit}`, 0, height);
  pen.textAlign = "right"; pen.fillText(`${told(from + window_ms)} ${unit}`, width, height);
  pen.fillStyle = color.ink;
  pen.fillRect(px(at) - 1, 0, 2, height - 14);
}

function words({ current, span, done, last, waiting }) {
  const whom = (one) => `request ${one.number + 1}: ${one.operation} of ${one.sectors} at sector ${one.lba.toLocaleString("en")}`;
  const where = (one) => `cylinder ${one.cylinder.toLocaleString("en")}, surface ${one.surface}`;
  if (current) return `${SPANS[span]} of ${whom(current)} (${where(current)}${current.cache === "miss" ? "" : `; ${current.cache} in the buffer`})`;
  if (done === requests.length) return `all ${done} are done; the last was ${whom(last)}`;
  return waiting.length ? "the drive takes the next" : "nothing to do";
}

function fill(id, items) {
  const list = byId(id);
  list.replaceChildren(...items.map(([text, kind]) => {
    const item = document.createElement("li");
    item.textContent = text;
    if (kind) item.className = kind;
    return item;
  }));
}

function drawSplit(at, { current, last }) {
  const one = current ?? last;
  SPANS.forEach((name, index) => {
    const part = byId(`part-${name}`), value = byId(`value-${name}`);
    const from = one?.times_ms[index + 1] ?? 0, to = one?.times_ms[index + 2] ?? 0;
    part.style.flexGrow = to - from;
    part.style.display = to > from ? "" : "none";
    part.firstChild.style.width = `${100 * Math.max(0, Math.min(1, (at - from) / (to - from || 1)))}%`;
    value.textContent = one ? `${told(Math.max(0, Math.min(at, to) - from))} of ${told(to - from)}` : "–";
  });
}

function draw(say) {
  const seen = state(now);
  drawPlatter(now, seen);
  drawTimes(now);
  drawSplit(now, seen);
  byId("clock").textContent = `${told(now - begin)} ${unit} · ${seen.done} of ${requests.length} done`;
  const sentence = words(seen);
  byId("now").textContent = sentence;
  const shown = seen.waiting.slice(0, 24).map((one) => [scene.sectors.length ? `${one.lba}` : `${one.number + 1} · cyl. ${one.cylinder.toLocaleString("en")}`]);
  if (seen.waiting.length > 24) shown.push([`and ${seen.waiting.length - 24} more`, "more"]);
  fill("queue", shown.length ? shown : [["empty", "more"]]);
  byId("waiting").textContent = seen.waiting.length;
  const slider = byId("at");
  slider.value = now - begin;
  slider.setAttribute("aria-valuetext", `${told(now - begin)} ${unit}: ${sentence}`);
  if (say) byId("said").textContent = `${told(now - begin)} ${unit}: ${sentence}; ${seen.waiting.length} wait`;
}

function go(to, say = true) {
  now = Math.max(begin, Math.min(end, to));
  draw(say);
}

const after = (at) => moments.find((one) => one > at + 1e-9) ?? end;
const before = (at) => moments.findLast((one) => one < at - 1e-9) ?? begin;
const nextOf = (index) => requests.map((one) => one.times_ms[index]);

function play(on) {
  playing = on && (now < end || (go(begin), true));
  byId("play").textContent = playing ? "Pause" : "Play";
  drawnAt = undefined;
  if (!playing) return draw(true);
  if (still.matches) stepped();
  else requestAnimationFrame(frame);
}

// Where motion is not wanted, the picture changes from moment to moment.
function stepped() {
  if (!playing) return;
  if (now >= end) return play(false);
  go(after(now));
  setTimeout(stepped, 1200);
}

function frame(at) {
  if (!playing) return;
  if (drawnAt !== undefined) {
    const turnsPerSecond = Number(byId("speed").value);
    let to = now + ((at - drawnAt) / 1000) * turnsPerSecond * scene.rotation_ms;
    if (byId("skip").checked && !busy.some(([from, until]) => from <= to && to <= until))
      to = Math.max(to, busy.find(([from]) => from > now)?.[0] ?? end);
    go(to, false);
  }
  drawnAt = at;
  if (now >= end) return play(false);
  requestAnimationFrame(frame);
}

function paced(by) {
  const speed = byId("speed");
  speed.selectedIndex = Math.max(0, Math.min(speed.options.length - 1, speed.selectedIndex + by));
}

const COMMANDS = {
  play: () => play(!playing),
  next: () => { play(false); go(after(now)); },
  back: () => { play(false); go(before(now)); },
  "next-request": () => { play(false); go(nextOf(1).filter((one) => one > now + 1e-9).sort((a, b) => a - b)[0] ?? end); },
  start: () => { play(false); go(begin); },
};
for (const [id, command] of Object.entries(COMMANDS)) byId(id).addEventListener("click", command);
byId("at").addEventListener("input", (event) => { play(false); go(begin + Number(event.target.value)); });

const KEYS = {
  " ": COMMANDS.play, k: COMMANDS.play, ArrowRight: COMMANDS.next, ArrowLeft: COMMANDS.back,
  n: COMMANDS["next-request"], Home: COMMANDS.start, End: () => { play(false); go(end); },
  "+": () => paced(1), "-": () => paced(-1),
};
addEventListener("keydown", (event) => {
  // A control that has the focus keeps the keys that it knows itself.
  const own = event.target.closest("select, input, summary") && !["n", "k"].includes(event.key);
  const pressed = event.target.closest("button") && event.key === " ";
  if (event.ctrlKey || event.metaKey || event.altKey || own || pressed) return;
  const command = KEYS[event.key];
  if (command) { event.preventDefault(); command(); }
});
const slider = byId("at");
slider.max = end - begin;
addEventListener("resize", () => draw());
dark.addEventListener("change", () => { colors(); draw(); });
colors();
go(scene.at_ms === null ? begin : begin + scene.at_ms, false);
document.documentElement.dataset.drawn = requests.length;
