export * from './fields.js'
export * from './kinds.js'
export * from './payload.js'
export * from './record.js'
