// Drawn pictures of the demonstration's developments: outside, living room, pool and a floor plan.

type Colours = readonly [sky: string, wall: string, accent: string]

const COLOURS: readonly Colours[] = [
  ['#bfe0ea', '#f3ecdf', '#0f5d6b'],
  ['#d7e8d0', '#ece4f0', '#5b4b8a'],
  ['#fbe3c8', '#e6eef2', '#a8492f'],
  ['#cfd8f0', '#f6efe2', '#2f6b45'],
]
const WIDTH = 1_080
const HEIGHT = 810

export type Drawing = { kind: 'foto' | 'planta'; title: string; svg: string }

/** Four drawings for a development; its place in the list always gives the same ones. */
export function drawingsOf(place: number): Drawing[] {
  const colours = COLOURS[place % COLOURS.length] ?? ['#bfe0ea', '#f3ecdf', '#0f5d6b']
  const floors = 6 + ((place * 5) % 7)
  return [
    { kind: 'foto', title: 'Fachada', svg: picture(outside(colours, floors)) },
    { kind: 'foto', title: 'Sala', svg: picture(livingRoom(colours)) },
    { kind: 'foto', title: 'Piscina', svg: picture(pool(colours)) },
    { kind: 'planta', title: 'Planta', svg: picture(floorPlan(colours, place)) },
  ]
}

const picture = (shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">${shapes}</svg>`

type Sides = readonly [x: number, y: number, width: number, height: number]

const box = ([x, y, width, height]: Sides, fill: string, rest = '') =>
  `<rect x="${x}" y="${y}" width="${width}" height="${height}" fill="${fill}" ${rest}/>`

const disc = ([x, y, radius]: readonly [number, number, number], fill: string) =>
  `<circle cx="${x}" cy="${y}" r="${radius}" fill="${fill}"/>`

function outside([sky, wall, accent]: Colours, floors: number): string {
  const step = 560 / floors
  const windows = Array.from({ length: floors * 5 }, (_, index) => {
    const [column, floor] = [index % 5, Math.floor(index / 5)]
    return box([360 + column * 76, 150 + floor * step, 48, step * 0.55], accent, 'rx="4" opacity="0.85"')
  })
  return [
    box([0, 0, WIDTH, HEIGHT], sky),
    disc([880, 150, 70], '#ffd98a'),
    `<ellipse cx="300" cy="760" rx="620" ry="170" fill="#9dbb8c"/><ellipse cx="900" cy="790" rx="520" ry="150" fill="#86a978"/>`,
    box([320, 110, 440, 620], wall, 'rx="10"'),
    ...windows,
    box([500, 680, 80, 60], accent),
    ...[200, 250, 840, 910].flatMap((x) => [
      box([x - 6, 650, 12, 80], '#7a5b3e'),
      disc([x, 620, 54], '#5f8f5b'),
    ]),
  ].join('')
}

function livingRoom([sky, wall, accent]: Colours): string {
  return [
    box([0, 0, WIDTH, 600], wall),
    box([0, 600, WIDTH, 210], '#c9a983'),
    box([620, 110, 340, 330], '#fff', 'rx="8"'),
    box([636, 126, 146, 298], sky),
    box([798, 126, 146, 298], sky),
    box([180, 150, 190, 140], '#fff', 'rx="6"'),
    box([196, 166, 158, 108], accent, 'opacity="0.6"'),
    box([130, 430, 430, 130], accent, 'rx="26"'),
    box([100, 500, 490, 110], accent, 'rx="26" opacity="0.85"'),
    box([380, 640, 300, 18], '#8a633f', 'rx="6"'),
    box([410, 658, 14, 70], '#8a633f'),
    box([636, 658, 14, 70], '#8a633f'),
  ].join('')
}

function pool([sky, wall, accent]: Colours): string {
  const chairs = [160, 330, 640, 810].map((x) => box([x, 520, 110, 26], accent, 'rx="10"'))
  return [
    box([0, 0, WIDTH, 420], sky),
    box([120, 120, 260, 320], wall, 'rx="8"'),
    box([430, 190, 220, 250], wall, 'rx="8"'),
    box([0, 420, WIDTH, 390], '#e7d7bd'),
    `<path d="M120 590 H960 Q1010 690 920 760 H160 Q70 690 120 590Z" fill="#4fb3c8"/>`,
    `<path d="M220 650 q40 -18 80 0 t80 0 t80 0" stroke="#fff" stroke-width="6" fill="none" opacity="0.7"/>`,
    ...chairs,
    box([900, 250, 14, 220], '#7a5b3e'),
    ...[-60, -20, 20, 60].map(
      (turn) =>
        `<ellipse cx="907" cy="250" rx="110" ry="26" fill="#5f8f5b" transform="rotate(${turn} 907 250)" opacity="0.9"/>`,
    ),
  ].join('')
}

function floorPlan([sky, , accent]: Colours, place: number): string {
  const wall = `stroke="${accent}" stroke-width="14"`
  const split = 420 + (place % 3) * 60
  return [
    box([0, 0, WIDTH, HEIGHT], '#fff'),
    box([90, 90, split - 90, 330], sky, wall),
    box([split, 90, 990 - split, 250], '#f4e6c9', wall),
    box([90, 420, 330, 300], '#e9eef0', wall),
    box([420, 420, 230, 300], '#f4e6c9', wall),
    box([650, 340, 340, 380], sky, wall),
    box([700, 410, 240, 150], '#fff', 'rx="16"'),
    box([140, 150, 180, 120], '#fff', 'rx="16"'),
    box([split - 7, 200, 14, 90], '#fff'),
    box([520, 413, 90, 14], '#fff'),
  ].join('')
}
