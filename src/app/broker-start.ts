// A broker's first screen and what starts with it, in one chunk.
export { BrokerLayout } from '#routes/broker.tsx'
export { BrokerHomePage } from '#routes/broker-home.tsx'
export { beginWork } from './signed-in.ts'
