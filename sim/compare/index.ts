/** Which of two configurations serves better, on the same troubles. */
export { type CompareOptions, type Comparison, compare, type Figures } from './compare.js'
export { CONFIG_SCHEMA, type CompareConfig, configJsonSchema } from './config.js'
