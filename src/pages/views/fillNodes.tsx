import { type ComponentChild, Fragment } from "preact"

const isolated = (value: ComponentChild) => (typeof value === "string" ? <bdi>{value}</bdi> : value)

/** Like `fill` of the texts, with elements as values. */
export const fillNodes = (text: string, values: Readonly<Record<string, ComponentChild>>) =>
  text
    .split(/\{(\w+)\}/)
    .map((part, index) => <Fragment key={index}>{index % 2 === 0 ? part : isolated(values[part])}</Fragment>)
