// The animation code of `m` elements, in a chunk of its own.
import { domMin } from 'framer-motion'

export const motionFeatures = domMin
