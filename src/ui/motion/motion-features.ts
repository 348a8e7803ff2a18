// What `m` elements need to move, fetched apart from them.
import { domMin } from 'framer-motion'

export const motionFeatures = domMin
