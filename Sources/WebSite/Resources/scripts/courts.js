// Courts as drawings, by the measures of their federations in metres, in a picture of 1600 × 1000; and lines upon them.
const namespace = 'http://www.w3.org/2000/svg';
const [pictureWidth, pictureHeight] = [1600, 1000];
/** Lines have coordinates in tenths of a unit of the picture, as the server keeps them. */
export const fineness = 10;
/** The width of the court's own lines, in units of the picture. */
const lineWidth = 5;

/**
 * `half` is drawn at both ends; `net` is where the court is divided. `around` is the free ground at the ends and sides.
 * The origin is the upper left corner.
 */
const courts = {
  // USA Racquetball 2.1: 40 by 20 feet; the front wall is on the left.
  racquetball: {
    size: [12.19, 6.1], around: [0.4, 0.4], ground: '#e6e1d6', floor: '#c9975b', line: '#9b1c14',
    paths: ['M4.57 0V6.1', 'M6.1 0V6.1', 'M4.57 .46H6.1M4.57 5.64H6.1', 'M4.57 .91H6.1M4.57 5.19H6.1'],
    dashed: ['M7.62 0V6.1'], walls: 'M12.19 0H0V6.1H12.19',
  },
  // FIVB 1: 18 by 9 m, attack lines 3 m from the net.
  volleyball: { size: [18, 9], around: [3, 2], ground: '#2b6482', floor: '#d1733c', line: '#ffffff', half: ['M6 0V9'], net: [9, -0.5, 9.5] },
  // BWF 1: 13.40 by 6.10 m.
  badminton: {
    size: [13.4, 6.1], around: [1, 0.8], ground: '#1d5637', floor: '#2c7a4d', line: '#ffffff',
    half: ['M0 .46H6.7M0 5.64H6.7', 'M.76 0V6.1', 'M4.72 0V6.1', 'M0 3.05H4.72'], net: [6.7, -0.3, 6.4],
  },
  // ITF 1: 23.77 by 10.97 m, service lines 6.40 m from the net.
  tennis: {
    size: [23.77, 10.97], around: [3.5, 2.2], ground: '#2f6b4a', floor: '#2d63a5', line: '#ffffff',
    half: ['M0 1.37H11.885M0 9.6H11.885', 'M5.485 1.37V9.6', 'M5.485 5.485H11.885', 'M0 5.485H.3'], net: [11.885, -0.91, 11.88],
  },
  // FIBA 2: 28 by 15 m, three-point line 6.75 m from the basket.
  basketball: {
    size: [28, 15], around: [1.5, 1.5], ground: '#6f3a1c', floor: '#c78d50', line: '#ffffff',
    half: ['M0 .9H2.99A6.75 6.75 0 0 1 2.99 14.1H0', 'M0 5.05H5.8V9.95H0', 'M5.8 5.7A1.8 1.8 0 0 1 5.8 9.3', 'M1.2 6.25H1.575A1.25 1.25 0 0 1 1.575 8.75H1.2', 'M1.2 6.6V8.4', 'M1.35 7.5a.225 .225 0 1 0 .45 0a.225 .225 0 1 0 -.45 0'],
    paths: ['M14 0V15', 'M12.2 7.5a1.8 1.8 0 1 0 3.6 0a1.8 1.8 0 1 0 -3.6 0'],
  },
  // IFAB 1: 105 by 68 m.
  football: {
    size: [105, 68], around: [5, 3], ground: '#246b2e', floor: '#2d863c', line: '#ffffff',
    half: ['M0 13.84H16.5V54.16H0', 'M0 24.84H5.5V43.16H0', 'M16.5 26.69A9.15 9.15 0 0 1 16.5 41.31', 'M0 1A1 1 0 0 0 1 0M1 68A1 1 0 0 0 0 67', 'M0 30.34H-2.44V37.66H0', 'M10.8 34h.4'],
    paths: ['M52.5 0V68', 'M43.35 34a9.15 9.15 0 1 0 18.3 0a9.15 9.15 0 1 0 -18.3 0', 'M52.3 34h.4'],
  },
  plain: { size: [16, 10], around: [0, 0], ground: '#2c3440', floor: '#2c3440', line: '#5b6472' },
};

export const courtNames = Object.keys(courts);
export const isCourt = (name) => Object.hasOwn(courts, name ?? '');

const element = (name, attributes, ...children) => {
  const made = document.createElementNS(namespace, name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
};

/** The court as a group of a drawing. */
const courtOf = (name) => {
  const { size: [length, width], around, ground, floor, line, half = [], paths = [], dashed = [], net, walls } = courts[name] ?? courts.plain;
  const scale = Math.min(pictureWidth / (length + 2 * around[0]), pictureHeight / (width + 2 * around[1]));
  const place = `translate(${(pictureWidth - length * scale) / 2} ${(pictureHeight - width * scale) / 2}) scale(${scale})`;
  const thickness = lineWidth / scale;
  const path = (d, attributes = {}) => element('path', { d, ...attributes });
  const ends = ['', `rotate(180 ${length / 2} ${width / 2})`].map((transform) => element('g', transform ? { transform } : {}, ...half.map((d) => path(d))));
  const lines = element('g', { fill: 'none', stroke: line, 'stroke-width': thickness, 'stroke-linecap': 'square' },
    ...(name === 'plain' ? [] : [path(`M0 0H${length}V${width}H0Z`)]), ...ends, ...paths.map((d) => path(d)),
    ...dashed.map((d) => path(d, { 'stroke-dasharray': `${thickness * 4}` })),
    ...(walls ? [path(walls, { 'stroke-width': thickness * 2.5 })] : []),
    ...(net ? [path(`M${net[0]} ${net[1]}V${net[2]}`, { 'stroke-width': thickness * 1.6 })] : []));
  return element('g', { 'aria-hidden': 'true' },
    element('rect', { width: pictureWidth, height: pictureHeight, fill: ground }),
    element('g', { transform: place }, element('rect', { width: length, height: width, fill: floor }), lines));
};

/** The points of a line as a path, with round turns. */
export const pathOf = (points) => {
  const at = (index) => `${points[index * 2] / fineness} ${points[index * 2 + 1] / fineness}`;
  const count = points.length / 2;
  // A line of one point is a dot.
  if (count === 1) return `M${at(0)}h.01`;
  if (count === 2) return `M${at(0)}L${at(1)}`;
  const middle = (index) => `${(points[index * 2] + points[index * 2 + 2]) / 2 / fineness} ${(points[index * 2 + 1] + points[index * 2 + 3]) / 2 / fineness}`;
  const turns = Array.from({ length: count - 3 }, (_, index) => `Q${at(index + 1)} ${middle(index + 1)}`);
  return `M${at(0)}${turns.join('')}Q${at(count - 2)} ${at(count - 1)}`;
};

/** A line as an element. */
export const strokeOf = ({ color, width, opacity, points }) => element('path', {
  d: pathOf(points), fill: 'none', stroke: color, 'stroke-width': width / fineness, 'stroke-opacity': opacity / 100,
  'stroke-linecap': 'round', 'stroke-linejoin': 'round',
});

/**
 * A picture of a drawing; `label` says what it is. `plane` is the group in whose coordinates lines are, and `lines` the
 * one that holds them. In an upright picture the court stands on its end.
 */
export const pictureOf = ({ court, strokes }, { label, isUpright = false }) => {
  const lines = element('g', {}, ...strokes.map(strokeOf));
  const plane = element('g', isUpright ? { transform: `translate(${pictureHeight} 0) rotate(90)` } : {}, courtOf(court), lines);
  const size = isUpright ? `${pictureHeight} ${pictureWidth}` : `${pictureWidth} ${pictureHeight}`;
  const picture = element('svg', { viewBox: `0 0 ${size}`, role: 'img', 'aria-label': label, class: 'court' }, plane);
  return { picture, plane, lines };
};
