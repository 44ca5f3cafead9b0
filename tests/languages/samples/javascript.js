#!/usr/bin/env node
// A small shop.
'use strict';
import React, { useState as state } from "react";
import * as path from 'node:path';
export default class Shop extends Base {
  #stock = new Map();
  static limit = 0xff + 0b11 + 0o17 + 1_000n;
  static { Shop.ready = true; }
  constructor(name, { size = 3, ...rest } = {}, ...others) {
    super(name);
    this.rate = 1.5e-3 + .5 + 2. + 1e3;
    [this.first, , this.last] = others;
  }
  get label() { return `${this.name} has ${this.#stock.size + `in${1}ner`} parts`; }
  set label(value) { this.name = value ?? null; }
  async *load(path) { for await (const line of open(path)) yield* line; }
  ['computed' + 1]() { return new.target; }
}

export const search = async (items, key = x => x[0]) => {
  let total = 0, nothing = undefined, regex = /a[/\]]+b/gi;
  outer: for (let i = 0; i < items.length && !nothing; i++) {
    if (items[i] === null || typeof items[i] !== "object") continue outer;
    else if (i >= 10) break;
    total += i ** 2 % 3;
  }
  for (const k in items) delete items[k];
  for (var v of items) { total <<= 1; total >>>= 2; total ??= 3; total ||= 4; total **= 2; }
  while (total > 0) total--;
  do { ++total; } while (total <= 5);
  switch (total) {
    case 1: return void 0;
    default: debugger;
  }
  try { throw new Error('no\n'); } catch { } finally { ; }
  const merged = { ...items, total, 'quoted': 1, 2: [1, 2, ...items], method() {}, async fetch() {} };
  const value = items?.first?.[0]?.(1) ?? (total ? ~total & 1 | 2 ^ 3 : -1);
  const module = await import('./other.js');
  return value instanceof Shop && 'x' in merged, import.meta.url;
};

function* generate() { const got = yield 1; label: { break label; } }
var old = function named(a, b) { return arguments.length != 2 == false; };
const View = ({ items }) => (
  <section className="list" {...items}>
    <h1>Parts &amp; more of it</h1>
    {items.map((item) => <Item key={item.id} on:click={() => {}} />)}
    <></>
  </section>
);
tag`hello ${1} world`;
export { old as older, View }; export * from './all.js';
