// The layer below a swiped card: the target stage's name and the card's shadow.
import { ArrowLeft, ArrowRight } from 'lucide-react'
import * as m from 'framer-motion/m'
import { useTransform } from 'framer-motion'
import { classNames } from '#ui/primitives/class-names.ts'
import { hueOf } from '#ui/primitives/hue.ts'
import { Icon } from '#ui/primitives/icon.tsx'
import type { SwipeView } from './card-swipe.ts'
import { FIRST_STAGE, LAST_STAGE, MOVE_TO } from '../moves/texts.ts'
import { tiltAt } from './swipe-rules.ts'

/** The swiped distances in px at which shadow and text are fully shown. */
const SHADOW_AT = 48
const WORDS_AT = 72
const WORDS_FROM = 12
/** Shown fully after 16 px, because a card without a neighbouring stage moves at most 48 px. */
const END_AT = 16

export function SwipeLayer({ box, x, side, stage, isPast }: SwipeView) {
  const shadow = useTransform(x, (now) => Math.min(1, Math.abs(now) / SHADOW_AT))
  const rotate = useTransform(x, tiltAt)
  const words = useTransform(x, (now) => Math.min(1, Math.abs(now) / WORDS_AT))
  const wordsX = useTransform(words, (now) => -side * WORDS_FROM * (1 - now))
  const end = useTransform(x, (now) => Math.min(1, Math.abs(now) / END_AT))
  return (
    <>
      <div aria-hidden data-swipe className="absolute -z-1" style={box}>
        <div
          data-hue={stage ? hueOf(stage.slug, stage.hue) : undefined}
          data-past={isPast || undefined}
          className={classNames('swipe-ground', side < 0 && 'flex-row-reverse text-right')}
        >
          {stage && (
            <>
              <Icon of={side > 0 ? ArrowRight : ArrowLeft} size={24} className="swipe-arrow" />
              <m.span style={{ opacity: words, x: wordsX }} className="leading-snug">
                {MOVE_TO}
                <br />
                {stage.name}
              </m.span>
            </>
          )}
        </div>
        <m.div style={{ x, rotate, opacity: shadow }} className="absolute inset-0 rounded-card shadow-lift" />
      </div>
      {/* The card moves too little to uncover a text. */}
      {!stage && (
        <m.div
          aria-hidden
          style={{ ...box, opacity: end }}
          className="absolute z-2 flex items-center justify-center"
        >
          <span className="rounded-full bg-banner px-4 py-2 text-15 font-semibold text-on-banner">
            {side > 0 ? LAST_STAGE : FIRST_STAGE}
          </span>
        </m.div>
      )}
    </>
  )
}
