// The visible difference of two colours, also for an eye that cannot tell red from green.

type Three = [number, number, number]

/** Machado, Oliveira and Fernandes 2009: no deuteranope cones at all. */
const DEUTERANOPIA: [Three, Three, Three] = [
  [0.367322, 0.860646, -0.227968],
  [0.280085, 0.672501, 0.047413],
  [-0.01182, 0.04294, 0.968881],
]
const TO_XYZ: [Three, Three, Three] = [
  [0.4124564, 0.3575761, 0.1804375],
  [0.2126729, 0.7151522, 0.072175],
  [0.0193339, 0.119192, 0.9503041],
]
const WHITE: Three = [0.95047, 1, 1.08883]

export type Sight = 'full' | 'deuteranopia'

/** CIEDE2000 between two '#rrggbb'; about 2 is just visible side by side. */
export function distance(one: string, other: string, sight: Sight): number {
  return ciede2000(labOf(one, sight), labOf(other, sight))
}

function labOf(hex: string, sight: Sight): Three {
  const plain = channels(hex)
  const seen =
    sight === 'full' ? plain : times(DEUTERANOPIA, plain).map((part) => Math.min(1, Math.max(0, part)))
  const linear = seen.map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4))
  const [x, y, z] = times(TO_XYZ, linear as Three).map((part, index) => {
    const share = part / (WHITE[index] ?? 1)
    return share > 0.008856 ? Math.cbrt(share) : 7.787 * share + 16 / 116
  }) as Three
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)]
}

const channels = (hex: string): Three =>
  [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as Three

const times = (matrix: readonly Three[], [a, b, c]: Three): Three =>
  matrix.map(([x, y, z]) => x * a + y * b + z * c) as Three

const degrees = (radians: number) => ((radians * 180) / Math.PI + 360) % 360
const cosine = (angle: number) => Math.cos((angle * Math.PI) / 180)
const sine = (angle: number) => Math.sin((angle * Math.PI) / 180)

/** The formula of Sharma, Wu and Dalal, with all weights 1. */
function ciede2000([l1, a1, b1]: Three, [l2, a2, b2]: Three): number {
  const chroma7 = ((Math.hypot(a1, b1) + Math.hypot(a2, b2)) / 2) ** 7
  const g = 0.5 * (1 - Math.sqrt(chroma7 / (chroma7 + 25 ** 7)))
  const [c1, c2] = [Math.hypot(a1 * (1 + g), b1), Math.hypot(a2 * (1 + g), b2)]
  const [h1, h2] = [degrees(Math.atan2(b1, a1 * (1 + g))), degrees(Math.atan2(b2, a2 * (1 + g)))]
  const isGrey = c1 * c2 === 0
  const apart = h2 - h1
  const turn = isGrey ? 0 : apart > 180 ? apart - 360 : apart < -180 ? apart + 360 : apart
  const hue = isGrey
    ? h1 + h2
    : (Math.abs(apart) > 180 ? h1 + h2 + (h1 + h2 < 360 ? 360 : -360) : h1 + h2) / 2
  const [light, chroma] = [(l1 + l2) / 2, (c1 + c2) / 2]
  const t =
    1 -
    0.17 * cosine(hue - 30) +
    0.24 * cosine(2 * hue) +
    0.32 * cosine(3 * hue + 6) -
    0.2 * cosine(4 * hue - 63)
  const sl = 1 + (0.015 * (light - 50) ** 2) / Math.sqrt(20 + (light - 50) ** 2)
  const rc = 2 * Math.sqrt(chroma ** 7 / (chroma ** 7 + 25 ** 7))
  const dl = (l2 - l1) / sl
  const dc = (c2 - c1) / (1 + 0.045 * chroma)
  const dh = (2 * Math.sqrt(c1 * c2) * sine(turn / 2)) / (1 + 0.015 * chroma * t)
  const rt = -sine(60 * Math.exp(-(((hue - 275) / 25) ** 2))) * rc
  return Math.sqrt(dl ** 2 + dc ** 2 + dh ** 2 + rt * dc * dh)
}
