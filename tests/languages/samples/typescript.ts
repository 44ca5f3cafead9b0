// A small shop.
import type { Part } from './part';
import fs = require('fs');
declare module 'shop' { export const version: string; }
declare global { interface Window { shop: unknown } }

type Id = string | number | null | undefined;
type Pick2<T, K extends keyof T = keyof T> = { readonly [P in K]-?: T[P] };
type Result<T> = T extends Promise<infer U> ? U : never;
type Path = `/${string}/edit`;
type Handler = (event: Event, ...rest: any[]) => void;
type Pair = [first: string, second?: number, ...others: boolean[]];

enum Colour { Red = 1, Green = 'g', Blue = Red << 2 }
const enum Flag { A }

interface Shop<T = {}> extends Base, Other<T> {
  readonly name: string;
  size?: number;
  [key: string]: any;
  (call: number): string;
  new (name: string): Shop;
  method<U>(this: Shop, value: U): asserts value is NonNullable<U>;
}

@Component({ selector: 'app' })
export abstract class Store<T extends object> implements Shop<T> {
  private static count: number = 0;
  protected declare readonly items?: Map<string, T[]>;
  #secret!: symbol;
  constructor(public name: string, private override readonly size = 3) { super(); }
  abstract draw(): void;
  get first(): T | undefined { return this.items?.get('a')?.[0]; }
  @Input() async load<U>(this: Store<T>, path: string): Promise<U> {
    const data = (await fetch(path)) as unknown as U;
    const cast = <number>this.size!;
    return data satisfies U;
  }
  on(event: 'a'): void;
  on(event: string): void { this.count++; }
}

namespace Tools.Deep {
  export function isPart(x: unknown): x is Part { return typeof x === 'object' && x !== null; }
}

export const generic = <T,>(x: T): T => x;
function assertNever(x: never): never { throw new Error(`Unexpected: ${x}`); }
let big: bigint = 10n, tuple: readonly [number, string] = [1.5, "b"], u: unique symbol;
let regex: RegExp = /<\/div>/g;
for (const [key, value] of Object.entries(tuple)) { if (value) continue; else break; }
export type { Id }; export default Store; export = Store;
abstract class Shape { accessor x = 1; }
let fn: typeof generic<string>; let ctor: abstract new () => object;
