// A broker's first screen and the parts that start with it, bundled as one chunk.
export { BrokerLayout } from '#routes/broker.tsx'
export { BrokerHomePage } from '#routes/broker-home.tsx'
export { beginWork } from './signed-in.ts'
