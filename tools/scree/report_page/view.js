// SPDX-License-Identifier: BSD-3-Clause
// The grains of a run in three dimensions: spheres, contact forces and walls by WebGL 2, from data in the page.
"use strict";
const view = (() => {
  const root = document.getElementById("view");
  if (!root) return null;
  const started = performance.now();
  const canvas = root.querySelector("canvas");
  const say = text => { root.querySelector(".message").textContent = text; };
  const gl = canvas.getContext("webgl2", {alpha: false, antialias: true, preserveDrawingBuffer: true});
  if (!gl) { say("This browser has no WebGL 2: no view of the grains."); return null; }

  // ---- Data: a header, and blobs that frames refer to by offset and length.
  const head = JSON.parse(document.getElementById("view-head").textContent);
  const text = atob(document.getElementById("view-data").textContent.trim());
  const bytes = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k++) bytes[k] = text.charCodeAt(k);
  const TYPES = {u1: Uint8Array, u2: Uint16Array, u4: Uint32Array, f4: Float32Array};
  const blob = ref => new TYPES[ref.type](bytes.buffer, ref.at, ref.count);

  // ---- Shaders. Places come as parts of the range `low` to `low + span`.
  const COMMON = `#version 300 es
    precision highp float;
    uniform vec3 low, span, middle; uniform mat3 turn; uniform vec2 shift, aspect; uniform float zoom, depth;
    vec3 seen(vec3 place) { return turn * (place - middle); }
    vec4 projected(vec3 v) { return vec4((v.xy * zoom + shift) * aspect, -v.z / depth, 1.0); }`;
  const GRAIN_V = COMMON + `
    layout(location = 0) in vec2 corner;
    layout(location = 1) in vec3 part; layout(location = 2) in float radiusPart; layout(location = 3) in float value;
    uniform float largest, pixels; uniform vec3 sliceLow, sliceHigh; uniform sampler2D map; uniform float pale;
    out vec2 at; out vec3 middleSeen; out float radius; out vec3 colour;
    void main() {
      vec3 place = low + part * span;
      radius = radiusPart * largest; at = corner; middleSeen = seen(place);
      colour = mix(texture(map, vec2((value * 255.0 + 0.5) / 256.0, 0.5)).rgb, vec3(0.8), pale);
      gl_Position = projected(middleSeen + vec3(asPoints ? vec2(0.0) : corner * radius, 0.0));
      gl_PointSize = 2.0 * radius * zoom * pixels;
      if (any(lessThan(place, sliceLow)) || any(greaterThan(place, sliceHigh))) gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // nowhere
    }`;
  const GRAIN_F = COMMON + `
    in vec2 at; in vec3 middleSeen; in float radius; in vec3 colour; uniform float flatDisks;
    out vec4 shown;
    void main() {
      vec2 place = asPoints ? vec2(2.0, -2.0) * (gl_PointCoord - 0.5) : at;
      float d = dot(place, place);
      if (d > 1.0) discard;
      vec3 normal = vec3(place, sqrt(1.0 - d));
      gl_FragDepth = 0.5 - 0.5 * (middleSeen.z + radius * normal.z) / depth;
      float lit = max(dot(normal, normalize(vec3(-0.45, 0.55, 0.7))), 0.0);
      vec3 round = colour * (0.42 + 0.58 * lit) + 0.2 * pow(lit, 24.0);
      vec3 disk = d > 0.9 ? colour * 0.55 : colour;
      shown = vec4(mix(round, disk, flatDisks), 1.0);
    }`;
  const TUBE_V = COMMON + `
    layout(location = 0) in vec2 corner;
    layout(location = 1) in vec3 first; layout(location = 2) in vec3 second; layout(location = 3) in float force;
    uniform float thickness, least, strongest; uniform vec3 sliceLow, sliceHigh; uniform sampler2D map;
    out float across; out vec3 colour; out float high;
    void main() {
      vec3 a = low + first * span, b = low + second * span, p = seen(a), q = seen(b);
      vec2 way = q.xy - p.xy;
      vec2 side = length(way) > 0.0 ? normalize(vec2(-way.y, way.x)) : vec2(1.0, 0.0);
      float relative = force * strongest, width = thickness * min(1.3 * sqrt(relative), 4.0);
      vec3 v = mix(p, q, 0.5 + 0.5 * corner.x) + vec3(side * corner.y * width, 0.0);
      across = corner.y; high = v.z; colour = texture(map, vec2(0.25 + 0.65 * min(relative / 4.0, 1.0), 0.5)).rgb;
      gl_Position = projected(v);
      vec3 place = 0.5 * (a + b);
      if (relative < least || any(lessThan(place, sliceLow)) || any(greaterThan(place, sliceHigh)))
        gl_Position = vec4(2.0, 2.0, 2.0, 1.0); // nowhere
    }`;
  const TUBE_F = COMMON + `
    in float across; in vec3 colour; in float high; out vec4 shown;
    void main() { gl_FragDepth = 0.5 - 0.5 * high / depth;
      shown = vec4(colour * (0.55 + 0.45 * sqrt(max(1.0 - across * across, 0.0))), 1.0); }`;
  const WALL_V = COMMON + `
    layout(location = 0) in vec3 place;
    void main() { gl_Position = projected(seen(place)); }`;
  const WALL_F = `#version 300 es
    precision highp float; uniform vec4 tint; out vec4 shown; void main() { shown = tint; }`;

  function program(vertex, fragment) {
    const made = gl.createProgram();
    for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]]) {
      const shader = gl.createShader(kind);
      gl.shaderSource(shader, source.replace(/^\s+/, ""));
      gl.compileShader(shader);
      if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
      gl.attachShader(made, shader);
    }
    gl.linkProgram(made);
    if (!gl.getProgramParameter(made, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(made));
    const places = {};
    return {use: () => gl.useProgram(made), at: name => name in places ? places[name] :
      (places[name] = gl.getUniformLocation(made, name))};
  }
  // Squares for each grain; of very many grains points, which are limited in size but faster where a processor has to
  // do the work of a graphics card.
  const MANY = 20000, constant = (source, points) => source.replace("precision highp float;",
    `precision highp float; const bool asPoints = ${points};`);
  const asSquares = program(constant(GRAIN_V, false), constant(GRAIN_F, false));
  const asPoints = head.frames.some(f => f.count > MANY) ? program(constant(GRAIN_V, true), constant(GRAIN_F, true)) : null;
  const grainsOf = frame => frame.count > MANY ? asPoints : asSquares;
  const tubes = program(TUBE_V, TUBE_F), walls = program(WALL_V, WALL_F);

  function texture(ref) {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.pixelStorei(gl.UNPACK_ALIGNMENT, 1);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGB8, 256, 1, 0, gl.RGB, gl.UNSIGNED_BYTE, blob(ref));
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MIN_FILTER, gl.NEAREST);
    gl.texParameteri(gl.TEXTURE_2D, gl.TEXTURE_MAG_FILTER, gl.NEAREST);
    return made;
  }
  const maps = Object.fromEntries(Object.entries(head.maps).map(([name, ref]) => [name, texture(ref)]));

  const buffers = new Map(); // one on the card for each blob, made when it is first needed
  function buffer(ref, target = gl.ARRAY_BUFFER) {
    if (!buffers.has(ref.at)) {
      const made = gl.createBuffer();
      gl.bindBuffer(target, made);
      gl.bufferData(target, blob(ref), gl.STATIC_DRAW);
      buffers.set(ref.at, made);
    }
    gl.bindBuffer(target, buffers.get(ref.at));
  }
  const corners = gl.createBuffer();
  gl.bindBuffer(gl.ARRAY_BUFFER, corners);
  gl.bufferData(gl.ARRAY_BUFFER, new Float32Array([-1, -1, 1, -1, -1, 1, 1, 1]), gl.STATIC_DRAW);
  const NUMBER = {u1: gl.UNSIGNED_BYTE, u2: gl.UNSIGNED_SHORT, f4: gl.FLOAT};
  function column(place, ref, size, per, stride = 0, offset = 0) {
    buffer(ref);
    gl.enableVertexAttribArray(place);
    gl.vertexAttribPointer(place, size, NUMBER[ref.type], ref.type !== "f4", stride, offset);
    gl.vertexAttribDivisor(place, per);
  }
  function quad() {
    gl.bindBuffer(gl.ARRAY_BUFFER, corners);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 2, gl.FLOAT, false, 0, 0);
    gl.vertexAttribDivisor(0, 0);
  }

  // ---- What is shown, and how.
  const get = name => root.querySelector(`[name=${name}]`);
  const state = {frame: head.frames.length - 1, playing: false, zoom: 1, shift: [0, 0]};
  const middle = head.box[0].map((l, a) => 0.5 * (l + head.box[1][a]));
  const depth = 1.5 * Math.hypot(...head.span);
  let turn;
  function reset() {
    const [c, s, ct, st] = head.flat ? [1, 0, 0, 1] :
      [Math.cos(-0.61), Math.sin(-0.61), Math.cos(0.38), Math.sin(0.38)];
    turn = [c, s, 0, -s * st, c * st, ct, s * ct, -c * ct, st]; // rows: right, up, towards the viewer
    Object.assign(state, {zoom: fitting(), shift: [0, 0]});
  }
  function fitting() { // so that the grains of the last frame fill the picture
    const most = [0, 0], least = Math.min(canvas.clientWidth, canvas.clientHeight);
    for (let corner = 0; corner < 8; corner++)
      for (const row of [0, 1]) {
        const seen = [0, 1, 2].reduce((sum, a) => sum + turn[3 * row + a] * (head.box[corner >> a & 1][a] - middle[a]), 0);
        most[row] = Math.max(most[row], Math.abs(seen));
      }
    return 0.88 * Math.min(canvas.clientWidth / most[0], canvas.clientHeight / most[1]) / least;
  }
  reset();
  function rotate(dx, dy) { // about the axes of the screen
    for (const [angle, a, b] of [[dx, 0, 2], [dy, 2, 1]]) {
      const c = Math.cos(angle), s = Math.sin(angle), old = turn.slice();
      for (let k = 0; k < 3; k++) {
        turn[3 * a + k] = c * old[3 * a + k] + s * old[3 * b + k];
        turn[3 * b + k] = c * old[3 * b + k] - s * old[3 * a + k];
      }
    }
  }
  function common(p, width, height) {
    p.use();
    gl.uniform3fv(p.at("low"), head.low);
    gl.uniform3fv(p.at("span"), head.span);
    gl.uniform3fv(p.at("middle"), middle);
    gl.uniformMatrix3fv(p.at("turn"), true, turn);
    gl.uniform1f(p.at("zoom"), state.zoom);
    gl.uniform1f(p.at("depth"), depth);
    gl.uniform2fv(p.at("shift"), state.shift);
    const least = Math.min(width, height);
    gl.uniform2f(p.at("aspect"), least / width, least / height);
    const slice = [[], []];
    for (let a = 0; a < 3; a++) {
      const one = get("slice" + "xyz"[a]), on = one.checked;
      const at = head.low[a] + head.span[a] * get("at" + "xyz"[a]).value / 1000;
      const half = Math.max(1.01 * head.meanRadius, 0.5 * head.span[a] * get("thick").value / 1000);
      slice[0].push(on ? at - half : -1e30);
      slice[1].push(on ? at + half : 1e30);
    }
    gl.uniform3fv(p.at("sliceLow"), slice[0]);
    gl.uniform3fv(p.at("sliceHigh"), slice[1]);
  }
  function drawGrains(grains, frame, field, pale) {
    gl.uniform1f(grains.at("largest"), head.largest);
    gl.uniform1f(grains.at("flatDisks"), head.flat ? 1 : 0);
    gl.uniform1f(grains.at("pale"), pale);
    gl.uniform1f(grains.at("pixels"), 0.5 * Math.min(canvas.width, canvas.height));
    gl.bindTexture(gl.TEXTURE_2D, maps[head.fields[field].map]);
    const each = grains === asPoints ? 0 : 1; // a vertex for each grain, or a square
    if (each) quad(); else gl.disableVertexAttribArray(0);
    column(1, frame.place, 3, each);
    column(2, frame.radius, 1, each);
    column(3, frame.values[field], 1, each);
    if (each) gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.count);
    else gl.drawArrays(gl.POINTS, 0, frame.count);
  }
  function drawTubes(frame) {
    gl.uniform1f(tubes.at("thickness"), 0.12 * head.meanRadius);
    gl.uniform1f(tubes.at("least"), +get("least").value);
    gl.uniform1f(tubes.at("strongest"), frame.strongest);
    gl.bindTexture(gl.TEXTURE_2D, maps.chains);
    quad();
    column(1, frame.chains, 3, 1, 14, 0);
    column(2, frame.chains, 3, 1, 14, 6);
    column(3, frame.chains, 1, 1, 14, 12);
    gl.drawArraysInstanced(gl.TRIANGLE_STRIP, 0, 4, frame.chains.count / 7);
  }
  function drawWalls(frame) {
    gl.disableVertexAttribArray(1); gl.disableVertexAttribArray(2); gl.disableVertexAttribArray(3);
    for (const wall of frame.walls) {
      if (wall.triangles.count) {
        gl.enable(gl.BLEND); gl.blendFunc(gl.SRC_ALPHA, gl.ONE_MINUS_SRC_ALPHA); gl.depthMask(false);
        gl.uniform4f(walls.at("tint"), 0.45, 0.5, 0.58, 0.16);
        column(0, wall.places, 3, 0);
        buffer(wall.triangles, gl.ELEMENT_ARRAY_BUFFER);
        gl.drawElements(gl.TRIANGLES, wall.triangles.count, gl.UNSIGNED_INT, 0);
        gl.depthMask(true); gl.disable(gl.BLEND);
      }
      if (wall.lines.count) {
        gl.uniform4f(walls.at("tint"), 0.3, 0.3, 0.3, 1);
        column(0, wall.lines, 3, 0);
        gl.drawArrays(gl.LINES, 0, wall.lines.count / 3);
      }
    }
  }
  function drawAxes() { // which way x, y and z point
    root.querySelector(".axes").innerHTML = [0, 1, 2].map(a => {
      const x = 35 + 22 * turn[a], y = 35 - 22 * turn[3 + a];
      return `<line x1="35" y1="35" x2="${x}" y2="${y}" stroke="#333" stroke-width="1.5"/>` +
        `<text x="${35 + 1.4 * (x - 35)}" y="${39 + 1.4 * (y - 35)}" text-anchor="middle">${"xyz"[a]}</text>`;
    }).join("");
  }
  function draw() {
    const ratio = window.devicePixelRatio || 1, width = Math.round(canvas.clientWidth * ratio),
      height = Math.round(canvas.clientHeight * ratio);
    if (canvas.width !== width || canvas.height !== height) { canvas.width = width; canvas.height = height; }
    const frame = head.frames[state.frame], field = +get("colour").value;
    const chains = frame.chains && get("chains").checked;
    gl.viewport(0, 0, width, height);
    gl.clearColor(1, 1, 1, 1);
    gl.enable(gl.DEPTH_TEST);
    gl.clear(gl.COLOR_BUFFER_BIT | gl.DEPTH_BUFFER_BIT);
    if (get("grains").checked) {
      common(grainsOf(frame), width, height);
      drawGrains(grainsOf(frame), frame, field, chains ? 0.85 : 0);
      if (chains) gl.clear(gl.DEPTH_BUFFER_BIT); // forces in front of pale grains
    }
    if (chains) { common(tubes, width, height); drawTubes(frame); }
    if (get("walls").checked) { common(walls, width, height); drawWalls(frame); }
    drawAxes();
    root.querySelector(".time").textContent = `t = ${+frame.time.toPrecision(5)} s, step ${frame.step}, ` +
      `${frame.count} grains`;
  }
  let waiting = false;
  function redraw() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => { waiting = false; draw(); });
  }

  // ---- Controls.
  head.fields.forEach((f, k) => get("colour").add(new Option(f.label, k)));
  get("frame").max = head.frames.length - 1;
  get("frame").value = state.frame;
  if (head.frames.length < 2) root.querySelector(".play").hidden = true;
  if (!head.frames.some(f => f.chains)) root.querySelector(".forces").hidden = true;
  if (!head.frames.some(f => f.walls.length)) get("walls").parentElement.hidden = true;
  if (head.flat) get("slicez").parentElement.hidden = true;
  function legend() {
    const f = head.fields[+get("colour").value], bar = root.querySelector(".legend");
    const map = blob(head.maps[f.map]), rgb = k => `rgb(${map[3 * k]},${map[3 * k + 1]},${map[3 * k + 2]})`;
    if (f.names) {
      bar.innerHTML = f.names.map((name, k) => `<span><i style="background:${rgb(k)}"></i></span>`).join("");
      bar.querySelectorAll("span").forEach((one, k) => one.append(f.names[k]));
      return;
    }
    const stops = Array.from({length: 17}, (_, k) => rgb(Math.min(255, k * 16))).join(",");
    bar.innerHTML = `<span class="low"></span><i class="bar" style="background:linear-gradient(90deg,${stops})"></i>` +
      '<span class="high"></span>';
    bar.querySelector(".low").textContent = +f.low.toPrecision(3);
    bar.querySelector(".high").textContent = `${+f.high.toPrecision(3)} ${f.unit}`;
  }
  function show(number) {
    state.frame = (number + head.frames.length) % head.frames.length;
    get("frame").value = state.frame;
    redraw();
  }
  function play() {
    state.playing = !state.playing;
    get("play").textContent = state.playing ? "pause" : "play";
    const step = () => { if (state.playing) { show(state.frame + 1); setTimeout(step, 150); } };
    step();
  }
  get("play").onclick = play;
  get("frame").oninput = () => show(+get("frame").value);
  get("colour").onchange = () => { legend(); redraw(); };
  get("reset").onclick = () => { reset(); redraw(); };
  root.querySelectorAll("input").forEach(one => { if (one.name !== "frame") one.addEventListener("input", redraw); });
  let held = null;
  canvas.onpointerdown = event => { held = {x: event.clientX, y: event.clientY, far: 0};
    canvas.setPointerCapture(event.pointerId); };
  canvas.onpointermove = event => {
    if (!held) return;
    const dx = event.clientX - held.x, dy = event.clientY - held.y, least = Math.min(canvas.clientWidth, canvas.clientHeight);
    Object.assign(held, {x: event.clientX, y: event.clientY, far: held.far + Math.abs(dx) + Math.abs(dy)});
    if (event.shiftKey || event.buttons === 2 || head.flat) {
      state.shift[0] += 2 * dx / least; state.shift[1] -= 2 * dy / least;
    } else rotate(-dx * 4 / least, -dy * 4 / least);
    redraw();
  };
  canvas.onpointerup = event => { if (held && held.far < 4) pick(event); held = null; };
  canvas.oncontextmenu = event => event.preventDefault();
  canvas.onwheel = event => { event.preventDefault(); state.zoom *= Math.exp(-0.0015 * event.deltaY); redraw(); };
  canvas.ondblclick = () => { reset(); redraw(); };
  window.addEventListener("resize", redraw);

  function pick(event) { // the grain under the pointer that is nearest to the viewer
    const box = canvas.getBoundingClientRect(), least = Math.min(box.width, box.height), frame = head.frames[state.frame];
    const x = ((event.clientX - box.left - 0.5 * box.width) * 2 / least - state.shift[0]) / state.zoom;
    const y = (-(event.clientY - box.top - 0.5 * box.height) * 2 / least - state.shift[1]) / state.zoom;
    const place = blob(frame.place), radius = blob(frame.radius);
    let best = -1, nearest = -Infinity;
    for (let i = 0; i < frame.count; i++) {
      const r = [0, 1, 2].map(a => head.low[a] + place[3 * i + a] / 65535 * head.span[a] - middle[a]);
      const seen = [0, 1, 2].map(a => turn[3 * a] * r[0] + turn[3 * a + 1] * r[1] + turn[3 * a + 2] * r[2]);
      const left = (radius[i] / 65535 * head.largest) ** 2 - (seen[0] - x) ** 2 - (seen[1] - y) ** 2;
      if (left > 0 && seen[2] + Math.sqrt(left) > nearest) { nearest = seen[2] + Math.sqrt(left); best = i; }
    }
    say(best < 0 ? "" : `grain ${blob(frame.id)[best]}: ` + head.fields.map((f, k) => {
      const value = blob(frame.values[k])[best];
      return f.names ? f.names[value] : `${f.label} ${+(f.low + value / 65535 * (f.high - f.low)).toPrecision(3)} ${f.unit}`;
    }).join(", "));
  }

  const drawn = () => { draw(); gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4)); };
  legend();
  drawn(); // also when the card has done it: a pixel that is read back
  root.dataset.ready = `${head.frames[state.frame].count} grains, ${gl.getError() === 0 ? "no" : "an"} error`;
  root.dataset.milliseconds = Math.round(performance.now() - started);
  return {rotate, drawn, pick, get, head, state, gl};
})();
