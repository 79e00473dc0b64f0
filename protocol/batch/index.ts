export * from './batch.js'
export * from './chain.js'
