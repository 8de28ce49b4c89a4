/** s3rver brings no types; this is what the tests use of it. */
declare module "s3rver" {
  interface Options {
    readonly address: string
    readonly port: number
    readonly silent: boolean
    readonly directory: string
    readonly vhostBuckets: boolean
    readonly configureBuckets: ReadonlyArray<{ readonly name: string; readonly configs: ReadonlyArray<string> }>
  }
  export default class S3rver {
    constructor(options: Options)
    run(): Promise<{ readonly port: number }>
  }
}
