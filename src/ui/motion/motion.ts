// How things move, as numbers: durations, the springs that take over a pointer's speed, and whether less of it is wanted.

/** In ms. CSS has its own in tokens.css; these are for what runs from code. */
export const DURATION = {
  fade: 120,
  fast: 140,
  slotClose: 160,
  base: 200,
  pulse: 240,
  snapMost: 360,
  homeMost: 300,
  flash: 600,
}

/** Unit mass. `snap` brings a page to rest, `home` a card that was let go. */
export const SPRING = {
  snap: { stiffness: 420, damping: 38, mass: 1 },
  home: { stiffness: 520, damping: 36, mass: 1 },
}

/** For things arriving: as --ease-out. */
export const EASE_OUT = 'cubic-bezier(0.22, 0.9, 0.28, 1)'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** A pointer still moves what it holds; what follows its release is instant. */
export function wantsLessMotion(): boolean {
  return matchMedia(LESS_MOTION).matches
}
