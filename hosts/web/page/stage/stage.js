// The stage: a three.js picture, an overlay to write on, one camera, and the pointer and keys handed on to the room.
// Without WebGL it says so and stays a place to press on: the sound does not need the picture.
import * as THREE from 'three';
import {readColors} from './looks.js';
import {byId, calm, element, fit} from '../ui/dom.js';

const slowFrame = 26; /* ms: above this the picture is drawn with fewer pixels */

export class Stage {
  constructor(lab) {
    this.lab = lab;
    this.section = byId('stage');
    this.overlay = byId('overlay');
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(32, 1, .01, 100);
    this.camera.up.set(0, 0, 1);
    this.ray = new THREE.Raycaster();
    this.ray.params.Line.threshold = .02;
    this.view = {target: new THREE.Vector3(), azimuth: -90, elevation: 28, distance: 4, zoom: 1};
    this.turned = {azimuth: 0, elevation: 0};
    this.pointers = new Map();
    this.pixels = Math.min(devicePixelRatio || 1, 2);
    this.frameTime = 16;
    this.colors = readColors();
    this.renderer = this.makeRenderer();
    this.listen();
    new ResizeObserver(() => this.resize()).observe(this.section);
    this.resize();
  }

  makeRenderer() {
    try {
      const renderer = new THREE.WebGLRenderer({canvas: byId('picture'), alpha: true, antialias: true, powerPreference: 'high-performance'});
      byId('picture').addEventListener('webglcontextlost', event => {
        event.preventDefault();
        this.lack('The picture stopped', 'The graphics card let go of this page. The sound goes on; reload for the picture.');
      });
      byId('picture').addEventListener('webglcontextrestored', () => byId('stage-lack')?.remove());
      return renderer;
    } catch {
      this.lack('No picture here', 'This browser has no WebGL, so the stage stays empty. The sound does not need it: press anywhere, across pushes, down presses.');
      return null;
    }
  }

  lack(title, words) {
    byId('stage-lack')?.remove();
    this.section.prepend(element('div', {id: 'stage-lack', className: 'stage-lack'}, element('b', {}, title), element('span', {}, words)));
  }

  resize() {
    this.width = this.section.clientWidth || 1;
    this.height = this.section.clientHeight || 1;
    this.renderer?.setPixelRatio(this.pixels);
    this.renderer?.setSize(this.width, this.height, false);
    this.camera.aspect = this.width / this.height;
    this.camera.updateProjectionMatrix();
    this.place();
  }

  repaint() {
    this.colors = readColors();
  }

  /** Looks at a ball of this radius round `target` so that it fills the stage. */
  look(target, radius, {azimuth = -90, elevation = 28} = {}) {
    Object.assign(this.view, {target: target.clone(), radius, azimuth, elevation, zoom: 1});
    this.turned = {azimuth: 0, elevation: 0};
    this.place();
  }

  place() {
    const {target, azimuth, elevation, zoom, radius = 1} = this.view;
    const half = THREE.MathUtils.degToRad(this.camera.fov / 2), narrow = Math.min(1, this.camera.aspect);
    const distance = radius / Math.sin(half) / narrow / zoom;
    const a = THREE.MathUtils.degToRad(azimuth + this.turned.azimuth);
    const e = THREE.MathUtils.degToRad(Math.min(85, Math.max(-10, elevation + this.turned.elevation)));
    this.camera.position.set(Math.cos(a) * Math.cos(e), Math.sin(a) * Math.cos(e), Math.sin(e)).multiplyScalar(distance).add(target);
    this.camera.near = distance / 50;
    this.camera.far = distance * 10;
    this.camera.updateProjectionMatrix();
    this.camera.lookAt(target);
    this.camera.updateMatrixWorld();
  }

  /** World to the overlay's pixels. */
  project(point) {
    const seen = point.clone().project(this.camera);
    return {x: (seen.x + 1) / 2 * this.width, y: (1 - seen.y) / 2 * this.height};
  }

  rayAt(x, y) {
    this.ray.setFromCamera(new THREE.Vector2(x / this.width * 2 - 1, 1 - y / this.height * 2), this.camera);
    return this.ray;
  }

  /** Where the pointer's ray meets the horizontal plane at this height, or null. */
  onPlane(x, y, height) {
    return this.rayAt(x, y).ray.intersectPlane(new THREE.Plane(new THREE.Vector3(0, 0, 1), -height), new THREE.Vector3());
  }

  draw(room, now, seconds) {
    const {pen, width, height} = fit(this.overlay);
    pen.clearRect(0, 0, width, height);
    const began = performance.now();
    room?.frame(now, seconds, pen);
    this.renderer?.render(this.scene, this.camera);
    this.adapt(performance.now() - began, seconds * 1000);
  }

  /** Fewer pixels when frames come late, as they do on software WebGL; never fewer than half. */
  adapt(spent, between) {
    this.frameTime += (Math.max(spent, Math.min(between, 100)) - this.frameTime) * .05;
    if (this.frameTime < slowFrame || this.pixels <= .5 || performance.now() < (this.patience ?? 0)) return;
    this.pixels = Math.max(.5, this.pixels * .75);
    this.patience = performance.now() + 2000;
    this.frameTime = 16;
    this.resize();
  }

  listen() {
    const on = (name, handler, options) => this.section.addEventListener(name, handler, options);
    on('pointerdown', event => this.down(event));
    on('pointermove', event => this.move(event));
    for (const name of ['pointerup', 'pointercancel', 'lostpointercapture']) on(name, event => this.up(event));
    on('wheel', event => this.wheel(event), {passive: false});
    on('dblclick', event => event.preventDefault());
    on('contextmenu', event => event.preventDefault());
    on('keydown', event => this.key(event, true));
    on('keyup', event => this.key(event, false));
    on('blur', () => this.lab.room?.key({key: 'blur', down: false}));
  }

  at(event) {
    const box = this.section.getBoundingClientRect();
    const pen = event.pointerType === 'pen' ? event.pressure : null;
    return {x: event.clientX - box.left, y: event.clientY - box.top, pen, type: event.pointerType};
  }

  down(event) {
    if (event.target.closest('.curtain')) return;
    this.section.setPointerCapture(event.pointerId);
    this.section.focus({preventScroll: true, focusVisible: false});
    const turning = event.button === 2 || event.altKey || this.pointers.size > 0;
    const at = this.at(event);
    if (turning) this.letGo();
    this.pointers.set(event.pointerId, {...at, turning});
    if (turning) for (const pointer of this.pointers.values()) pointer.turning = true;
    else this.lab.touch({kind: 'down', ...at});
    event.preventDefault();
  }

  /** A second finger turns the picture: what the first was playing is let go of. */
  letGo() {
    for (const pointer of this.pointers.values()) if (!pointer.turning) this.lab.touch({kind: 'up', ...pointer});
  }

  move(event) {
    const pointer = this.pointers.get(event.pointerId), at = this.at(event);
    if (!pointer) return this.lab.touch({kind: 'hover', ...at});
    if (pointer.turning) this.turn(event.pointerId, at);
    else this.lab.touch({kind: 'move', ...at});
    Object.assign(pointer, at);
  }

  up(event) {
    const pointer = this.pointers.get(event.pointerId);
    if (!pointer) return;
    this.pointers.delete(event.pointerId);
    if (!pointer.turning) this.lab.touch({kind: 'up', ...pointer});
  }

  turn(id, at) {
    const from = this.pointers.get(id), others = [...this.pointers].filter(([other]) => other !== id).map(([, p]) => p);
    this.turned.azimuth -= (at.x - from.x) * .35 / this.pointers.size;
    this.turned.elevation += (at.y - from.y) * .25 / this.pointers.size;
    if (others.length) {
      const apart = p => Math.hypot(p.x - others[0].x, p.y - others[0].y);
      this.zoom(apart(at) / Math.max(20, apart(from)));
    }
    this.place();
  }

  wheel(event) {
    event.preventDefault();
    this.zoom(Math.exp(-event.deltaY * .0012));
    this.place();
  }

  zoom(factor) {
    this.view.zoom = Math.min(3, Math.max(.5, this.view.zoom * factor));
  }

  key(event, down) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target !== this.section) return;
    if (event.key === 'Home' && down) {
      this.turned = {azimuth: 0, elevation: 0};
      this.view.zoom = 1;
      this.place();
    }
    if (this.lab.room?.key({key: event.key, down, repeat: event.repeat})) event.preventDefault();
  }

  get still() {
    return calm();
  }
}
