/**
 * Whether what fades or moves in has come to its end; what runs for ever and the line that counts a notice down change
 * nobody's colours. Run in the page, so it knows nothing but the page.
 */
export const isAtRest = () =>
  document
    .getAnimations()
    .every(
      (animation) =>
        animation.playState !== 'running' ||
        animation.effect?.getTiming().iterations === Infinity ||
        (animation instanceof CSSAnimation && animation.animationName === 'run-down'),
    )
