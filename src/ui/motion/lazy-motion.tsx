// Provides the animation code for `m` elements, which loads with the first of them.
import { LazyMotion } from 'framer-motion'
import type { ReactNode } from 'react'
import { untilHere } from '../arrival.ts'

const features = () => untilHere(async () => (await import('./motion-features.ts')).motionFeatures)

export function Moving({ children }: { children: ReactNode }) {
  return (
    <LazyMotion features={features} strict>
      {children}
    </LazyMotion>
  )
}
