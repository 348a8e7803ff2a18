// Animation values: durations, springs that continue a pointer's speed, and the reduced-motion preference.

/** In ms. CSS has its own in tokens.css; these are for animations in code. */
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

/** Springs for unit mass. `snap` settles a page, `home` a released card. */
export const SPRING = {
  snap: { stiffness: 420, damping: 38, mass: 1 },
  home: { stiffness: 520, damping: 36, mass: 1 },
}

/** For arriving elements; equals --ease-out. */
export const EASE_OUT = 'cubic-bezier(0.22, 0.9, 0.28, 1)'

const LESS_MOTION = '(prefers-reduced-motion: reduce)'

/** With reduced motion, a drag still follows the pointer; animations after its release are instant. */
export function wantsLessMotion(): boolean {
  return matchMedia(LESS_MOTION).matches
}
